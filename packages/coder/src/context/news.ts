import type { EntryDraft, SessionTree } from "@pith/agent";
import { fill, isRecord } from "@pith/kit";
import { type Model, modelName } from "@pith/llm";
import { isPrompt, promptEntry } from "../session/recorded.ts";
import prose from "./changed.md" with { type: "text" };
import fileProse from "./changed-file.md" with { type: "text" };
import { type EnvironmentOptions, type Facts, factsIn, factsOf } from "./environment.ts";
import { quoted } from "./files.ts";
import { ruleText } from "./lists.ts";
import { type Hashes, hashesOf, type Material } from "./material.ts";
import { plain } from "./tree.ts";

const type = "pith.environment";

export interface NewsSources {
  tree: SessionTree;
  place: EnvironmentOptions;
  model: Model;
  /** The configuration as it would be told now. */
  material(): Material;
}

/**
 * Makes the note about changes since the model was told: directory, day, branch, model, instructions, skills, rules. It
 * is written before the next input, after `drafts`; a prompt among those tells everything anyway.
 */
export function environmentNews(
  { tree, place, model, material }: NewsSources,
  drafts: readonly EntryDraft[],
): EntryDraft[] {
  const facts = factsOf(place);
  const { before, made, since } = drafts.some(isPrompt) ? {} : told(tree);
  const now = made && material();
  const hashes = now && hashesOf(now);
  const rows = [
    ...(before ? changed(before, facts) : []),
    ...(made && now && hashes ? changedMaterial(made, hashes, now) : []),
    ...changedModel(tree, modelName(model)),
  ];
  if (rows.length === 0) return [];
  const content = fill(prose, { changes: rows.join("\n") }).trim();
  return [
    { type: "custom", customType: type, data: { facts, made: hashes, since } },
    { type: "custom_message", customType: "pith.note", content, display: false },
  ];
}

/** Reads what the model was told, by the newest prompt or a later note. */
function told(tree: SessionTree): { before?: Facts | undefined; made?: Hashes | undefined; since?: string } {
  const prompt = promptEntry(tree);
  if (!prompt) return {};
  const { facts, made, since } = (tree.lastCustom(type)?.data ?? {}) as {
    facts?: Facts | null;
    made?: Hashes | null;
    since?: string;
  };
  const isLater = since === prompt.id;
  return {
    before: (isLater && isRecord(facts) ? facts : undefined) ?? factsIn(prompt.told.system),
    made: (isLater && isRecord(made) ? made : undefined) ?? prompt.told.made,
    since: prompt.id,
  };
}

/** Lists changed facts. A branch that was not told before is no change, nor are other such facts. */
const changed = (before: Facts, now: Facts): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((label) =>
    before[label] === now[label] || (before[label] === undefined && untold.has(label))
      ? []
      : [`- ${label}: ${now[label] ?? "none"}${alone.has(label) ? "" : ` (before: ${before[label] ?? "none"})`}`],
  );

/** Facts that may not have been told before. */
const untold = new Set(["Branch", "Commands", "Approval"]);

/** Facts of which the earlier value says nothing. */
const alone = new Set(["Date", "Commands"]);

/** Longer files are not repeated; the model is only told that they have changed. */
const maxFile = 8 * 1024;

function changedMaterial(before: Hashes, now: Hashes, { files, skills, rules }: Material): string[] {
  const gone = Object.keys(before).filter((name) => now[name] === undefined);
  const fresh = (name: string) => before[name] !== now[name];
  return [
    ...files
      .filter(({ path }) => fresh(path))
      .map(({ path, text }) =>
        text.length > maxFile
          ? `- ${path} has changed; read it again before you go by it`
          : fill(fileProse, quoted({ path, text })).trim(),
      ),
    ...skills
      .filter(({ name, data }) => !data.hidden && fresh(`skill:${name}`))
      .map(({ name, data }) => `- Skill skill://${name}: ${plain(data.description, 300)}`),
    ...rules
      .filter(({ name }) => fresh(`rule:${name}`))
      .map((rule) => {
        const { name, data } = rule;
        if (!data.always) return `- Rule rule://${name}: ${plain(data.description, 300)}`;
        return data.text.length > maxFile
          ? `- Rule rule://${name} has changed; read it again before you go by it`
          : `- Rule rule://${name} now reads:\n${ruleText(rule)}`;
      }),
    ...gone.map((name) => `- ${name.replace(/^(skill|rule):/, "$1 ")} is gone`),
  ];
}

/** Tells of another model, unless it only stands in for the chosen one. */
function changedModel(tree: SessionTree, now: string): string[] {
  const reply = tree.last("assistant");
  const change = tree.last("model_change");
  if (reply?.type !== "message" || reply.message.role !== "assistant") return [];
  if (change?.type === "model_change" && change.instead !== undefined) return [];
  const before = `${reply.message.provider}/${reply.message.model}`;
  return before === now ? [] : [`- Model: you are ${now}; the answers so far are ${before}'s`];
}
