import type { FoundItems, Item } from "../capability/item.ts";
import type { CapabilityKind } from "../capability/kind/kind.ts";
import type { Capabilities } from "../capability/registry.ts";
import { type ContextFile, contextFiles, hashOf } from "./files.ts";

/** The configuration that is told to the model, as it is now. */
export interface Material {
  files: readonly ContextFile[];
  skills: readonly Item<"skill">[];
  rules: readonly Item<"rule">[];
  /** Files in place of the system prompt, or behind it. */
  system: readonly Item<"system">[];
}

/** Hashes of files, skills and rules by name. */
export type Hashes = Readonly<Record<string, string>>;

export interface MaterialSources {
  capabilities: Capabilities;
  /** Reports files that should be read and are not. */
  skipped(what: string): void;
  /** True when a rule forbids everyone to read a path. */
  forbids?(path: string): boolean;
  /** Changes whenever settings may have changed. */
  revision?(): number;
}

/** Makes the material before every input, and again only when its files have changed: checking that is much faster. */
export function materialFrom({ capabilities, skipped, forbids, revision = () => 0 }: MaterialSources): () => Material {
  let last: { made: Material; isCurrent(): boolean; under: string } | undefined;
  const make = (): Material => ({
    files: contextFiles(capabilities, skipped, forbids),
    skills: winnersOf(capabilities.of("skill"), skipped).toSorted(byName),
    rules: winnersOf(capabilities.rules("told"), skipped).toSorted(byName),
    system: winnersOf(capabilities.of("system"), skipped),
  });
  return () => {
    const under = `${revision()}:${capabilities.sources.length}`;
    if (last?.under !== under || !last.isCurrent()) last = { ...capabilities.files.track(make), under };
    return last.made;
  };
}

const known = new WeakMap<Material, Hashes>();

export function hashesOf(material: Material): Hashes {
  const hashes = known.get(material) ?? hashed(material);
  known.set(material, hashes);
  return hashes;
}

const hashed = ({ files, skills, rules }: Material): Hashes =>
  Object.fromEntries([
    ...files.map(({ path, hash }) => [path, hash]),
    ...skills.filter(({ data }) => !data.hidden).map(({ name, data }) => [`skill:${name}`, hashOf(data.description)]),
    ...rules.map(({ name, data }) => [`rule:${name}`, hashOf(data.always ? data.text : data.description)]),
  ]);

/** Returns the items that count, and reports warnings. */
function winnersOf<K extends CapabilityKind>({ winners, warnings }: FoundItems<K>, skipped: (what: string) => void) {
  for (const text of warnings) skipped(text);
  return winners;
}

const byName = (a: Item, b: Item): number => (a.name < b.name ? -1 : 1);
