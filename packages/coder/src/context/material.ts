import type { Item } from "../capability/item.ts";
import type { Capabilities } from "../capability/registry.ts";
import { type ContextFile, contextFiles, hashOf } from "./files.ts";

/** All that is told of configuration, as it stands now. */
export interface Material {
  files: readonly ContextFile[];
  skills: ReturnType<typeof skillsOf>;
  rules: ReturnType<typeof rulesOf>;
  /** Files that stand in the place of the first words, or behind all of them. */
  system: readonly Item<"system">[];
}

/** What it is made of: files, skills and rules, each by the hash of its content. */
export type Hashes = Readonly<Record<string, string>>;

export interface MaterialSources {
  capabilities: Capabilities;
  /** Told of what is wanted to be read and is not. */
  skipped(what: string): void;
  /** Whether a rule closes a path to everybody. */
  forbids?(path: string): boolean;
  /** Another number whenever settings may have changed. */
  revision?(): number;
}

/**
 * What is told of configuration. It is asked for before every input, and making it takes far longer than to see that
 * the disk still says what it was made of: then it is the same.
 */
export function materialFrom({ capabilities, skipped, forbids, revision = () => 0 }: MaterialSources): () => Material {
  let last: { made: Material; isCurrent(): boolean; under: string } | undefined;
  const make = (): Material => ({
    files: contextFiles(capabilities, skipped, forbids),
    skills: skillsOf(capabilities, skipped),
    rules: rulesOf(capabilities, skipped),
    system: systemOf(capabilities, skipped),
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

function skillsOf(capabilities: Capabilities, skipped: (what: string) => void) {
  const { winners, warnings } = capabilities.of("skill");
  for (const text of warnings) skipped(text);
  return winners.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function rulesOf(capabilities: Capabilities, skipped: (what: string) => void) {
  const { winners, warnings } = capabilities.rules("told");
  for (const text of warnings) skipped(text);
  return winners.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function systemOf(capabilities: Capabilities, skipped: (what: string) => void) {
  const { winners, warnings } = capabilities.of("system");
  for (const text of warnings) skipped(text);
  return winners;
}
