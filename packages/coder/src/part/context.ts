import { dirname, join, relative } from "node:path";
import { type Hook, perTurn, type Tree } from "@pith/agent";
import { fill, isInside } from "@pith/kit";
import type { Item } from "../capability/item.ts";
import type { Capabilities } from "../capability/registry.ts";
import { instructionsOf, nestedFiles } from "../context/files.ts";
import type { MakePart } from "../hall/part.ts";
import ruleProse from "../prompts/rule.md" with { type: "text" };
import { isFor } from "../rule/glob.ts";

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
      // Both a summary and another session that goes on leave nothing of it but what is kept word for word.
      const since = (tree.last("compaction") ?? tree.lastCustom("pith.before"))?.id ?? "";
      const kept = arrived(tree);
      const told = kept.since === since ? kept.names : [];
      const fresh = arriving(capabilities, sight, touched).filter(({ name }) => !told.includes(name));
      if (fresh.length === 0) return outcome;
      const names = [...told, ...fresh.map(({ name }) => name)];
      // What a summary has kept of an earlier time, the next one keeps, too.
      const earlier = [...new Set([...kept.earlier, ...kept.names])].filter((name) => !names.includes(name));
      channel.record({
        type: "custom",
        customType: type,
        data: { since, names, earlier: earlier.slice(-mostEarlier) },
      });
      return { ...outcome, text: [outcome.text, ...fresh.map(({ text }) => text)].join("\n\n") };
    },
  };
  const words = () => {
    const { names, earlier } = arrived(tree);
    const texts = [...names, ...earlier.toReversed()].flatMap((name) => textsOf(capabilities, name));
    return texts.length === 0
      ? []
      : [{ title: "Rules and instructions that came with results", text: texts.join("\n\n") }];
  };
  return { name: "context", hooks: [hook], keeps: { state: [type], words } };
};

const mostEarlier = 40;

/** The names of what has come since the last compaction, and before it; of whomever's record. */
function arrived(tree: Tree): { since: unknown; names: string[]; earlier: string[] } {
  const { since, names, earlier } = (tree.lastCustom(type)?.data ?? {}) as Record<string, unknown>;
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((name) => typeof name === "string") : []);
  return { since, names: texts(names), earlier: texts(earlier) };
}

/** What was told under a name, as it stands now. */
function textsOf(capabilities: Capabilities, name: string): string[] {
  if (!name.startsWith("rule:"))
    return nestedFiles(capabilities, dirname(name)).flatMap((file) =>
      file.path === name ? [instructionsOf(file)] : [],
    );
  const rule = capabilities.of("rule").winners.find((one) => `rule:${one.name}` === name);
  return rule ? [ruleText(rule)] : [];
}

const ruleText = ({ name, data }: Item<"rule">): string => fill(ruleProse, { name, text: data.text }).trim();

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
    this.#rules ??= this.#capabilities.rules("told").winners;
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
      .map((rule) => ({ name: `rule:${rule.name}`, text: ruleText(rule) })),
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
