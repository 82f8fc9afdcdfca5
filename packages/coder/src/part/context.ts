import { dirname, join, relative } from "node:path";
import { type Hook, perTurn } from "@pith/agent";
import { fill, isInside } from "@pith/kit";
import type { Item } from "../capability/item.ts";
import type { Capabilities } from "../capability/registry.ts";
import { type ContextFile, instructionsOf, nestedFiles } from "../context/files.ts";
import type { MakePart } from "../hall/part.ts";
import ruleProse from "../prompts/rule.md" with { type: "text" };
import { isFor } from "../rule/glob.ts";

const type = "pith.arrived";

/**
 * What a deeper folder tells agents, and rules for some files, come with the first result that touches them; once,
 * until the conversation is summed up.
 */
export const context: MakePart<"capabilities" | "tree" | "channel" | "forbids"> = (hall) => {
  const { capabilities, tree, channel, forbids } = hall;
  const warned = new Set<string>();
  const warn = (text: string) => {
    if (!warned.has(text)) channel.tell({ level: "warn", text });
    warned.add(text);
  };
  const nested = (folder: string) => nestedFiles(capabilities, folder, warn, forbids);
  const lookedAt = perTurn(() => new Sight(capabilities, nested));
  let sight = new Sight(capabilities, nested);
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
  const words = () => {
    const { names } = (tree.lastCustom(type)?.data ?? {}) as { names?: unknown };
    const told = new Set(Array.isArray(names) ? names.filter((name) => typeof name === "string") : []);
    const texts = [...filesOf(told, nested), ...rulesOf(told, capabilities)];
    return texts.length === 0
      ? []
      : [{ title: "Rules and instructions that came with results", text: texts.join("\n\n") }];
  };
  return { name: "context", hooks: [hook], keeps: { words } };
};

type Nested = (folder: string) => readonly ContextFile[];

/** The files that were told, as they stand now; one that was imported comes with the one that names it. */
function filesOf(told: ReadonlySet<string>, nested: Nested): string[] {
  const folders = new Set([...told].filter((name) => !name.startsWith("rule:")).map((name) => dirname(name)));
  const files = new Map([...folders].flatMap(nested).map((file) => [file.path, file]));
  return [...files.values()].filter(({ path }) => told.has(path)).map(instructionsOf);
}

function rulesOf(told: ReadonlySet<string>, capabilities: Capabilities): string[] {
  return capabilities
    .of("rule")
    .winners.filter(({ name }) => told.has(`rule:${name}`))
    .map(ruleText);
}

const ruleText = ({ name, data }: Item<"rule">): string => fill(ruleProse, { name, text: data.text }).trim();

/** What stands in files, each looked at once: a turn touches the same folders again and again. */
class Sight {
  readonly #capabilities: Capabilities;
  readonly #of: Nested;
  readonly #nested = new Map<string, readonly ContextFile[]>();
  #rules: readonly Item<"rule">[] | undefined;

  constructor(capabilities: Capabilities, nested: Nested) {
    this.#capabilities = capabilities;
    this.#of = nested;
  }

  /** Of a folder, with all that it imports; a file has none. */
  nested(path: string): readonly ContextFile[] {
    const known = this.#nested.get(path) ?? (this.#capabilities.look.isDirectory(path) ? this.#of(path) : []);
    this.#nested.set(path, known);
    return known;
  }

  get rules(): readonly Item<"rule">[] {
    this.#rules ??= this.#capabilities.rules("told").winners;
    return this.#rules;
  }
}

function arriving({ look }: Capabilities, sight: Sight, touched: readonly string[]): { name: string; text: string }[] {
  const { root } = look.place;
  const inside = touched.filter((path) => isInside(root, path));
  if (inside.length === 0) return [];
  const known = new Set(look.ways);
  const folders = new Set(inside.flatMap((path) => between(path, root)).filter((folder) => !known.has(folder)));
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
