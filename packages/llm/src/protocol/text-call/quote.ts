import type { Message } from "../../message/message.ts";
import type { Request } from "../../message/stream.ts";
import { isTextCallId } from "../call-id.ts";

/** Conversations and models of which a native call was heard; a compaction may have taken the call from the history. */
export class NativeCallers {
  readonly #heard = new Set<string>();

  hear({ session, model }: Request): void {
    if (session !== undefined) this.#heard.add(JSON.stringify([session, model.vendor, model.id]));
  }

  /** True when the model has made native calls in the conversation: it has no need to write calls as text. */
  has({ session, model, messages }: Request): boolean {
    if (this.#heard.has(JSON.stringify([session, model.vendor, model.id]))) return true;
    return messages.some(
      (message) =>
        message.role === "assistant" &&
        message.provider === model.vendor &&
        message.model === model.id &&
        message.content.some((part) => part.type === "toolCall" && !isTextCallId(part.id)),
    );
  }
}

/**
 * True when a call stands word for word in a result or an attached text. Numbers before its lines, space around them
 * and a fence do not matter.
 */
export function wasShown(call: string, messages: readonly Message[]): boolean {
  const lines = linesOf(call).filter((line) => !line.startsWith("```"));
  return messages.some(({ role, content }) => {
    if (role === "assistant") return false;
    const texts = typeof content === "string" ? [content] : content.map((part) => ("text" in part ? part.text : ""));
    return texts.some((text) => holds(text, lines, 4 * call.length + 1000));
  });
}

/** True when a text holds these lines one after another; `reach` limits how much is compared at each place. */
function holds(text: string, [first = "", ...rest]: readonly string[], reach: number): boolean {
  for (let at = text.indexOf(first); at !== -1 && first !== ""; at = text.indexOf(first, at + first.length)) {
    const behind = at + first.length;
    const next = rest.length > 0 ? linesOf(text.slice(behind, behind + reach)) : [];
    if (rest.every((line, index) => next[index]?.includes(line))) return true;
  }
  return false;
}

/** Lines without the space around them; empty ones are left out. */
const linesOf = (text: string): string[] => text.split("\n").flatMap((line) => line.trim() || []);
