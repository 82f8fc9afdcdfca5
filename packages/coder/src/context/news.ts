import type { Draft, Tree } from "@pith/agent";
import { fill } from "@pith/kit";
import { type Model, modelName } from "@pith/llm";
import prose from "../prompts/changed.md" with { type: "text" };
import { isPrompt, promptEntry } from "../session/recorded.ts";
import { type Facts, factsIn, factsOf, type Place } from "./environment.ts";

const type = "pith.environment";

/**
 * What was told of the environment stays true: another directory, day or model is told before the next input. `drafts`
 * are written before that; a prompt among them tells all of it anew.
 */
export function environmentNews(tree: Tree, place: Place, model: Model, drafts: readonly Draft[]): Draft[] {
  const now = factsOf(place);
  const { before, since } = drafts.some(isPrompt) ? {} : toldFacts(tree);
  const rows = [...(before ? changed(before, now) : []), ...changedModel(tree, modelName(model))];
  if (rows.length === 0) return [];
  const content = fill(prose, { changes: rows.join("\n") }).trim();
  return [
    { type: "custom", customType: type, data: { facts: now, since } },
    { type: "custom_message", customType: type, content, display: false },
  ];
}

/** What the model knows: as the newest prompt says, or what was told since. */
function toldFacts(tree: Tree): { before?: Facts | undefined; since?: string } {
  const prompt = promptEntry(tree);
  if (!prompt) return {};
  const { facts, since } = (tree.lastCustom(type)?.data ?? {}) as { facts?: Facts | null; since?: string };
  const later = since === prompt.id && typeof facts === "object" && facts !== null ? facts : undefined;
  return { before: later ?? factsIn(prompt.told.system), since: prompt.id };
}

const changed = (before: Facts, now: Facts): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((label) =>
    before[label] === now[label]
      ? []
      : [`- ${label}: ${now[label] ?? "none"}${label === "Date" ? "" : ` (before: ${before[label] ?? "none"})`}`],
  );

/** Who answered last, if somebody else was chosen; that another stood in for it is no change. */
function changedModel(tree: Tree, now: string): string[] {
  const reply = tree.last("assistant");
  const change = tree.last("model_change");
  if (reply?.type !== "message" || reply.message.role !== "assistant") return [];
  if (change?.type === "model_change" && change.instead !== undefined) return [];
  const before = `${reply.message.provider}/${reply.message.model}`;
  return before === now ? [] : [`- Model: you are ${now}; the answers so far are ${before}'s`];
}
