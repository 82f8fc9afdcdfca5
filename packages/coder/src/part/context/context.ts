import { dirname, join, relative } from "node:path";
import { perTurn, type SessionTree } from "@pith/agent";
import { isInside } from "@pith/kit";
import type { Item } from "../../capability/item.ts";
import type { Capabilities } from "../../capability/registry.ts";
import { isFor } from "../../capability/rule-files.ts";
import { type ContextFile, instructionsOf, nestedFiles, warnOnce } from "../../context/files.ts";
import { ruleText } from "../../context/lists.ts";
import type { MakePart } from "../../hall/part.ts";

const type = "pith.arrived";

/**
 * Adds instructions of deeper folders, and rules for some files, to the first result that touches them. They are added
 * once until the conversation is compacted.
 */
export const context: MakePart<"capabilities" | "tree" | "channel" | "forbids"> = (hall) => {
  const { capabilities, tree, channel, forbids } = hall;
  const warn = warnOnce(channel);
  const nested = (folder: string) => nestedFiles(capabilities, folder, warn, forbids);
  const lookedAt = perTurn(() => new Sight(capabilities, nested));
  let sight = new Sight(capabilities, nested);
  return {
    name: "context",
    step(turn) {
      sight = lookedAt(turn);
    },
    result({ intent }, outcome) {
      const touched = intent.paths.map(({ real }) => real);
      const coming = touched.length > 0 ? arriving(capabilities, sight, touched) : [];
      if (coming.length === 0) return;
      // After a compaction or a handoff the model has only the texts of `keeps`.
      const since = (tree.last("compaction") ?? tree.lastCustom("pith.before"))?.id ?? "";
      const kept = arrived(tree);
      const told = kept.since === since ? kept.names : [];
      const fresh = coming.filter(({ name }) => !told.includes(name));
      if (fresh.length === 0) return;
      const names = [...told, ...fresh.map(({ name }) => name)];
      // Names from before the last compaction, which the next one keeps, too.
      const earlier = [...new Set([...kept.earlier, ...kept.names])].filter((name) => !names.includes(name));
      channel.record({
        type: "custom",
        customType: type,
        data: { since, names, earlier: earlier.slice(-mostEarlier) },
      });
      return { ...outcome, text: [outcome.text, ...fresh.map(({ text }) => text)].join("\n\n") };
    },
    keeps: {
      state: [type],
      words() {
        const { names, earlier } = arrived(tree);
        const texts = textsOf([...names, ...earlier.toReversed()], capabilities, nested);
        return texts.length === 0
          ? []
          : [{ title: "Rules and instructions that came with results", text: texts.join("\n\n") }];
      },
    },
  };
};

type Nested = (folder: string) => readonly ContextFile[];

const mostEarlier = 40;

/** Reads the names that were added since the last compaction, and before it. The record may be anyone's. */
function arrived(tree: SessionTree): { since: unknown; names: string[]; earlier: string[] } {
  const { since, names, earlier } = (tree.lastCustom(type)?.data ?? {}) as Record<string, unknown>;
  const texts = (list: unknown) => (Array.isArray(list) ? list.filter((name) => typeof name === "string") : []);
  return { since, names: texts(names), earlier: texts(earlier) };
}

/** Returns the present texts of names. An imported file is found by the one that imports it. */
function textsOf(names: readonly string[], capabilities: Capabilities, nested: Nested): string[] {
  const folders = new Set(names.flatMap((name) => (name.startsWith("rule:") ? [] : [dirname(name)])));
  const files = [...folders].flatMap(nested).map((file) => [file.path, instructionsOf(file)] as const);
  const rules = capabilities.of("rule").winners.map((rule) => [`rule:${rule.name}`, ruleText(rule)] as const);
  const texts = new Map([...files, ...rules]);
  return names.flatMap((name) => texts.get(name) ?? []);
}

/** Instructions of folders, cached for a turn, which touches the same folders again and again. */
class Sight {
  readonly #capabilities: Capabilities;
  readonly #of: Nested;
  readonly #nested = new Map<string, readonly ContextFile[]>();
  #rules: readonly Item<"rule">[] | undefined;

  constructor(capabilities: Capabilities, nested: Nested) {
    this.#capabilities = capabilities;
    this.#of = nested;
  }

  /** Returns the instructions of a folder with their imports; none for a file. */
  nested(path: string): readonly ContextFile[] {
    const known = this.#nested.get(path) ?? (this.#capabilities.files.isDirectory(path) ? this.#of(path) : []);
    this.#nested.set(path, known);
    return known;
  }

  get rules(): readonly Item<"rule">[] {
    this.#rules ??= this.#capabilities.rules("told").winners;
    return this.#rules;
  }
}

function arriving({ files }: Capabilities, sight: Sight, touched: readonly string[]): { name: string; text: string }[] {
  const { root } = files.place;
  const inside = touched.filter((path) => isInside(root, path));
  if (inside.length === 0) return [];
  const known = new Set(files.projectFolders);
  const folders = new Set(inside.flatMap((path) => between(path, root)).filter((folder) => !known.has(folder)));
  const nested = [...folders].flatMap((folder) => sight.nested(folder));
  return [
    ...nested.map((file) => ({ name: file.path, text: instructionsOf(file) })),
    ...sight.rules
      .filter((rule) => inside.some((path) => isFor(rule, path, files)))
      .map((rule) => ({ name: `rule:${rule.name}`, text: ruleText(rule) })),
  ];
}

/** Returns the path, and the folders above it up to `top`. */
function between(path: string, top: string): string[] {
  if (!isInside(top, path)) return [];
  const parts = relative(top, path)
    .split("/")
    .filter((part) => part !== "");
  return parts.map((_, index) => join(top, ...parts.slice(0, index + 1)));
}
