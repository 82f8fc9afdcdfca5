import type { Message } from "@pith/llm";
import { archiveOf, wordsOf } from "../../session/compaction/frame.ts";
import type { ShownEntry } from "../../session/context.ts";
import { textOf } from "../../session/text.ts";

/** Characters of a result, a call and an argument; more would be noise in a summary. */
const most = { result: 2000, call: 2000, argument: 500 };

/** The conversation as text for a summarizer, one piece per message, so that it can be split. */
export const serialize = (path: readonly ShownEntry[]): string[] =>
  path.flatMap((item) => drawnIn(item) ?? item.messages.map(told)).filter((text) => text !== "");

/** Text of the pictures of a compaction. */
function drawnIn({ entry }: ShownEntry): string[] | undefined {
  const archive = entry.type === "compaction" ? archiveOf(entry.preserveData) : undefined;
  return archive && [piece("earlier", wordsOf(archive))];
}

/** Escapes the marks of the prompt in quoted text. */
export const escapeMarks = (text: string): string =>
  text.replace(/<(\/?)(conversation|previous-summary|additional-context)>/gi, "<\u200b$1$2>");

function told(message: Message): string {
  if (message.role === "user") return piece("user", textOf(message.content) + pictures(message));
  if (message.role === "toolResult") {
    const name = `${message.toolName}${message.isError ? ", failed" : ""}`;
    return piece(`result of ${name}`, headAndTail(textOf(message.content), most.result) + pictures(message));
  }
  const calls = message.content.flatMap((part) =>
    part.type === "toolCall" ? [`→ ${part.name}(${headAndTail(argumentsOf(part.arguments), most.call)})`] : [],
  );
  return piece("assistant", [textOf(message.content), ...calls].filter(Boolean).join("\n"));
}

const piece = (who: string, text: string): string => (text.trim() === "" ? "" : `[${who}] ${text}`);

const pictures = ({ content }: Pick<Message, "content">): string => {
  const count = typeof content === "string" ? 0 : content.filter((part) => part.type === "image").length;
  return count === 0 ? "" : `\n[${count === 1 ? "an image" : `${count} images`}]`;
};

function argumentsOf(input: unknown): string {
  const rows = Object.entries((input ?? {}) as Record<string, unknown>);
  return rows
    .map(([name, value]) => `${name}: ${headAndTail(JSON.stringify(value) ?? "null", most.argument)}`)
    .join(", ");
}

/** Cuts a long text to its beginning, the number of characters left out, and its end. */
export function headAndTail(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const head = text.slice(0, Math.floor(characters * 0.6));
  const tail = text.slice(text.length - Math.floor(characters * 0.4));
  return `${head.toWellFormed()}\n[… ${text.length - characters} characters …]\n${tail.toWellFormed()}`;
}
