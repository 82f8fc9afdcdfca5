import { noUsage } from "@pith/llm";
import type { Entry, EntryDraft } from "../session/entry.ts";

// Entries of a path made by hand, for tests.

let count = 0;
export function placed(draft: EntryDraft): Entry {
  count++;
  return {
    ...draft,
    id: `e${count}`,
    parentId: count === 1 ? null : `e${count - 1}`,
    timestamp: new Date(count).toISOString(),
  } as Entry;
}
export const said = (text: string): Entry =>
  placed({ type: "message", message: { role: "user", content: text, timestamp: 0 } });
export const answered = (text: string, ...calls: [id: string, name: string, input?: object][]): Entry =>
  placed({
    type: "message",
    message: {
      role: "assistant",
      content: [
        { type: "text", text },
        ...calls.map(([id, name, input = {}]) => ({ type: "toolCall" as const, id, name, arguments: { ...input } })),
      ],
      api: "",
      provider: "",
      model: "",
      usage: noUsage(),
      stopReason: calls.length > 0 ? "toolUse" : "stop",
      timestamp: 0,
    },
  });
export const resulted = (
  id: string,
  name: string,
  text: string,
  details?: Record<string, unknown>,
  isError = false,
): Entry =>
  placed({
    type: "message",
    message: {
      role: "toolResult",
      toolCallId: id,
      toolName: name,
      content: [{ type: "text", text }],
      ...(details ? { details } : {}),
      isError,
      timestamp: 0,
    },
  });
