import { dirname, join, matchesGlob, relative } from "node:path";
import { type Hook, perTurn } from "@pith/agent";
import { fill, isInside } from "@pith/kit";
import type { Item } from "../capability/item.ts";
import type { Look } from "../capability/look.ts";
import type { Capabilities } from "../capability/registry.ts";
import { instructionsOf, nestedFiles } from "../context/files.ts";
import type { MakePart } from "../hall/part.ts";
import ruleProse from "../prompts/rule.md" with { type: "text" };

const type = "pith.arrived";

/**
 * What a deeper folder tells agents, and rules for some files, come with the first result that touches them; once,
 * until the conversation is summed up.
 */
export const context: MakePart<"capabilities" | "tree" | "channel"> = ({ capabilities, tree, channel }) => {
  const lookedAt = perTurn(() => new Sight(capabilities));
  let sight = new Sight(capabilities);
  const hook: Hook = {
    name: "context that arrives",
    step(turn) {
      sight = lookedAt(turn);
      return { do: "go" };
    },
    result({ intent }, outcome) {
      const touched = intent.paths.map(({ real }) => real);
      if (touched.length === 0) return outcome;
      const since = tree.last("compaction")?.id ?? "";
      const kept = tree.lastCustom(type)?.data as { since?: string; names?: string[] } | undefined;
      const told = new Set(kept?.since === since && Array.isArray(kept.names) ? kept.names : []);
      const fresh = arriving(capabilities, sight, touched).filter(({ name }) => !told.has(name));
      if (fresh.length === 0) return outcome;
      const names = [...told, ...fresh.map(({ name }) => name)];
      channel.record({ type: "custom", customType: type, data: { since, names } });
      return { ...outcome, text: [outcome.text, ...fresh.map(({ text }) => text)].join("\n\n") };
    },
  };
  return { name: "context", hooks: [hook] };
};

/** What stands in files, each looked at once: a turn touches the same folders again and again. */
class Sight {
  readonly #capabilities: Capabilities;
  readonly #nested = new Map<string, ReturnType<typeof nestedFiles>>();
  #rules: readonly Item<"rule">[] | undefined;

  constructor(capabilities: Capabilities) {
    this.#capabilities = capabilities;
  }

  /** Of a folder; a file has none. */
  nested(path: string): ReturnType<typeof nestedFiles> {
    const capabilities = this.#capabilities;
    const known =
      this.#nested.get(path) ?? (capabilities.look.isDirectory(path) ? nestedFiles(capabilities, path) : []);
    this.#nested.set(path, known);
    return known;
  }

  get rules(): readonly Item<"rule">[] {
    this.#rules ??= this.#capabilities.of("rule").winners;
    return this.#rules;
  }
}

function arriving({ look }: Capabilities, sight: Sight, touched: readonly string[]): { name: string; text: string }[] {
  const { root, cwd } = look.place;
  const inside = touched.filter((path) => isInside(root, path));
  if (inside.length === 0) return [];
  const known = new Set(look.ways);
  const folders = new Set(inside.flatMap((path) => between(path, cwd)).filter((folder) => !known.has(folder)));
  const files = [...folders].flatMap((folder) => sight.nested(folder));
  return [
    ...files.map((file) => ({ name: file.path, text: instructionsOf(file) })),
    ...sight.rules
      .filter((rule) => inside.some((path) => isFor(rule, path, look)))
      .map(({ name, data }) => ({ name: `rule:${name}`, text: fill(ruleProse, { name, text: data.text }).trim() })),
  ];
}

/** The folders below `top` on the way to a path, and the path itself should it be one. */
function between(path: string, top: string): string[] {
  if (!isInside(top, path)) return [];
  const parts = relative(top, path)
    .split("/")
    .filter((part) => part !== "");
  return parts.map((_, index) => join(top, ...parts.slice(0, index + 1)));
}

/** A glob is meant from the folder that has the rule; one without a slash is for names anywhere. */
function isFor({ data, level, file }: Item<"rule">, path: string, look: Look): boolean {
  const base =
    level === "user" ? look.place.root : (look.ways.find((way) => isInside(way, dirname(file))) ?? look.place.root);
  const below = relative(base, path);
  return data.globs.some((glob) => matchesGlob(below, glob.includes("/") ? glob.replace(/^\.?\//, "") : `**/${glob}`));
}
