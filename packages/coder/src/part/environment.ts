import type { Draft, Hook, Tree } from "@pith/agent";
import { fill } from "@pith/kit";
import { modelName } from "@pith/llm";
import { type Facts, factsIn, factsOf } from "../context/environment.ts";
import type { MakePart } from "../hall/part.ts";
import prose from "../prompts/changed.md" with { type: "text" };
import { promptEntry } from "../session/recorded.ts";

/** What was told of the environment stays true: another directory, day or model is told when the next turn begins. */
export const environment: MakePart<"tree" | "channel" | "cwd" | "userHome" | "roots" | "clock"> = (hall) => {
  const { tree, channel, cwd, userHome, roots, clock } = hall;
  const facts = () => factsOf({ cwd, userHome, roots, platform: process.platform, now: clock.now() });
  const hook: Hook = {
    name: "environment",
    step(turn) {
      if (turn.step > 0) return { do: "go" };
      const now = facts();
      const { before, since } = toldFacts(tree);
      const rows = [...(before ? changed(before, now) : []), ...changedModel(tree, modelName(turn.model))];
      if (rows.length > 0) channel.recordAll(drafts(rows, { facts: now, since }));
      return { do: "go" };
    },
  };
  return { name: "environment", hooks: [hook] };
};

const type = "pith.environment";

const drafts = (rows: readonly string[], data: { facts: Facts; since: string | undefined }): Draft[] => [
  { type: "custom", customType: type, data },
  {
    type: "custom_message",
    customType: "pith.note",
    content: fill(prose, { changes: rows.join("\n") }).trim(),
    display: false,
  },
];

/** What the model knows: as the newest prompt says, or what was told since. */
function toldFacts(tree: Tree): { before: Facts | undefined; since: string | undefined } {
  const prompt = promptEntry(tree);
  const { facts, since } = (tree.lastCustom(type)?.data ?? {}) as { facts?: Facts; since?: string };
  if (prompt && since === prompt.id && typeof facts === "object") return { before: facts, since };
  return { before: prompt && factsIn(prompt.told.system), since: prompt?.id };
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
