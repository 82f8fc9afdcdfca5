import type { Event } from "@pith/agent";
import { plainText } from "@pith/kit";
import type { AssistantMessage, ToolResultMessage } from "@pith/llm";
import { complain, type Io } from "../../io/io.ts";
import { remindedLine } from "../../io/reminder.ts";
import { retryLine } from "../../io/retry.ts";
import type { Printer } from "./print.ts";

/** Stdout gets the text of the answer and nothing else; what a person should know on the way goes to stderr. */
export function textPrinter(io: Io): Printer {
  const started = new Set<string>();
  let begun = false;
  return {
    take(event) {
      if (event.type === "call") started.add(event.call.id);
      begun ||= event.type === "entry";
      // Input that is queued before the first entry was left by the resumed session.
      if (event.type === "queue" && !begun && event.waiting.length > 0) complain(io, leftBefore(event.waiting));
      const remark = remarkOn(event, started);
      if (remark) complain(io, remark);
    },
    show(_, { text, failed }) {
      if (failed) complain(io, text);
      else print(text);
    },
    finish(answers) {
      // A model that goes on may repeat its answer.
      const texts = answers.map(textOf);
      for (const [at, text] of texts.entries()) if (text !== texts[at - 1]) print(text);
    },
  };

  function print(text: string): void {
    if (text === "") return;
    // A device may be a terminal; a file or a pipe gets every byte as it came.
    const shown = io.outIs === "device" ? plainText(text) : text;
    io.out.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  }
}

const leftBefore = (waiting: readonly { text: string }[]): string =>
  `left from before and sent along: ${waiting.map(({ text }) => JSON.stringify(text)).join(", ")}`;

function remarkOn(event: Event, started: ReadonlySet<string>): string | undefined {
  if (event.type === "notice") return event.notice.text;
  if (event.type === "reminded") return remindedLine(event);
  if (event.type === "turn" && event.state.name === "retrying") {
    return retryLine(event.state.failure, event.state.delayMs);
  }
  if (event.type !== "entry" || event.entry.type !== "message" || event.entry.message.role !== "toolResult")
    return undefined;
  const result = event.entry.message;
  // A call that failed without starting was refused or invalid, which nothing else shows.
  return result.isError && !started.has(result.toolCallId) ? firstLine(result) : undefined;
}

function firstLine({ toolName, content }: ToolResultMessage): string {
  const text = content.find((part) => part.type === "text")?.text ?? "";
  return `${toolName}: ${text.split("\n", 1)[0]}`;
}

const textOf = ({ content }: AssistantMessage): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
