import { isRecord } from "@pith/kit";
import type { Message, ToolCall } from "@pith/llm";
import type { Answer, Event, Question, TurnChanges } from "../../event.ts";
import type { Intent, Touch } from "../../tool/intent.ts";
import { refusal } from "../../tool/result.ts";
import type { Entry } from "../entry.ts";

/** The event announced right after an entry, for those who follow a record as if it happened now. */
export function announced(entry: Entry, messages: readonly Message[]): Event | undefined {
  if (entry.type !== "custom" || !isRecord(entry.data)) return undefined;
  const { data } = entry;
  if (entry.customType === "pith.changed" && Array.isArray(data.files))
    return { ...(data as unknown as TurnChanges), type: "changed" };
  if (entry.customType === "pith.question" && typeof data.id === "string" && typeof data.text === "string")
    return { type: "question", question: questionOf(data, messages) };
  if (entry.customType !== "pith.answer" || typeof data.question !== "string") return undefined;
  const { question: id, ...answer } = data;
  return { type: "answered", id: data.question, answer: answer as unknown as Answer };
}

function questionOf(
  { toolCallId, toolName: _, intent, ...asked }: Record<string, unknown>,
  messages: readonly Message[],
) {
  const call = toolCallId === undefined ? undefined : lastCall(messages, toolCallId);
  return { ...(asked as unknown as Question), call, intent: isRecord(intent) ? intentOf(intent) : undefined };
}

function lastCall(messages: readonly Message[], id: unknown): ToolCall | undefined {
  const isIt = (part: { type: string; id?: string }): part is ToolCall => part.type === "toolCall" && part.id === id;
  const reply = messages.findLast((message) => message.role === "assistant" && message.content.some(isIt));
  return reply?.role === "assistant" ? reply.content.find(isIt) : undefined;
}

/** An intent for display; it runs nothing. */
function intentOf(fields: Readonly<Record<string, unknown>>): Intent {
  const { read, write, exec, ...plain } = fields;
  const paths = (effect: Touch["effect"], list: unknown): Touch[] =>
    Array.isArray(list) ? list.map((real) => ({ effect, path: String(real), real: String(real) })) : [];
  return {
    ...(plain as Pick<Intent, "effect">),
    paths: [...paths("read", read), ...paths("write", write), ...paths("exec", exec)],
    run: async () => refusal("This is a record."),
  };
}
