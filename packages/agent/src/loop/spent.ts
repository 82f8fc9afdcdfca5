import { type AssistantMessage, countText, type Message, type Purpose, priced, type Request } from "@pith/llm";
import type { EntryDraft } from "../session/entry.ts";

/** What an answer has cost that is no message of the conversation, and what it was asked for. */
export const costDraft = ({ provider, model, usage }: AssistantMessage, purpose: Purpose | "task"): EntryDraft => ({
  type: "custom",
  customType: "pith.spent",
  data: { purpose, provider, model, usage },
});

/**
 * An answer with what it has cost, counted where its vendor had not told that before it was cut. What was sent is known
 * by the answer before it, and only what came since is counted.
 */
export function estimateUsage(request: Request, said: string, message: AssistantMessage): AssistantMessage {
  const { usage } = message;
  const known = usage.input + usage.cacheRead + usage.cacheWrite;
  const output = Math.max(usage.output, Math.ceil(countText(said)));
  const sent = known > 0 ? usage : sentBefore(request);
  const { input, cacheRead, cacheWrite } = sent;
  const told = { ...usage, input, cacheRead, cacheWrite, output, totalTokens: input + cacheRead + cacheWrite + output };
  return { ...message, usage: priced(told, request.model.cost) };
}

function sentBefore({ messages, system, tools }: Request): { input: number; cacheRead: number; cacheWrite: number } {
  const at = messages.findLastIndex((message) => message.role === "assistant" && message.usage.totalTokens > 0);
  const before = messages[at] as Extract<Message, { role: "assistant" }> | undefined;
  const count = (value: unknown) => Math.ceil(countText(JSON.stringify(value)));
  if (!before) return { input: count([system, messages, tools]), cacheRead: 0, cacheWrite: 0 };
  const { totalTokens, cacheRead, cacheWrite } = before.usage;
  const fresh = count(messages.slice(at + 1));
  // Who keeps what was sent once keeps it this time too.
  return cacheRead + cacheWrite > 0
    ? { input: fresh, cacheRead: totalTokens, cacheWrite: 0 }
    : { input: totalTokens + fresh, cacheRead: 0, cacheWrite: 0 };
}
