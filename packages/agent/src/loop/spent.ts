import { type AssistantMessage, countText, type Message, type Purpose, priced, type Request } from "@pith/llm";
import type { EntryDraft } from "../session/entry.ts";

/** Record of the cost of an answer that is not a message, and its purpose. */
export const costDraft = ({ provider, model, usage }: AssistantMessage, purpose: Purpose | "task"): EntryDraft => ({
  type: "custom",
  customType: "pith.spent",
  data: { purpose, provider, model, usage },
});

/**
 * Estimates the usage of an answer that was cut before its vendor reported it. The prompt is known from the previous
 * answer; only newer messages are counted.
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
  // A vendor that caches keeps what was sent once.
  return cacheRead + cacheWrite > 0
    ? { input: fresh, cacheRead: totalTokens, cacheWrite: 0 }
    : { input: totalTokens + fresh, cacheRead: 0, cacheWrite: 0 };
}
