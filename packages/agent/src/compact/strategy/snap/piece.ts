import { messagesOf } from "../../../session/convert.ts";
import type { Entry } from "../../../session/entry.ts";
import { textOf } from "../../../session/text.ts";
import type { DrawnText } from "./draw.ts";

/** Characters drawn of a result, an argument and a call; of longer ones the beginning and the end. */
export interface Cuts {
  /** Characters of a message. */
  words: number;
  result: number;
  argument: number;
  call: number;
  /** Share of the beginning. */
  head: number;
  results: DrawnText["ink"];
}

export const usualCuts: Cuts = { words: 50_000, result: 2000, argument: 500, call: 2000, head: 0.6, results: "dim" };

/** Texts to draw for entries: speaker, words, and calls and results cut to length. */
export function piecesOf(entries: readonly Entry[], cuts: Cuts = usualCuts): DrawnText[] {
  return entries.flatMap((entry) => messagesOf(entry).flatMap((message) => said(message, cuts)));
}

function said(message: ReturnType<typeof messagesOf>[number], cuts: Cuts): DrawnText[] {
  if (message.role === "toolResult") {
    const tag = `${message.isError ? "failed" : "result"} ${message.toolName}`;
    return [{ tag, text: shortened(textOf(message.content), cuts.result, cuts), ink: cuts.results }];
  }
  const text = shortened(textOf(message.content), cuts.words, cuts);
  const words: DrawnText[] = text.trim() === "" ? [] : [{ tag: message.role, text, ink: "dark" }];
  if (message.role !== "assistant") return words;
  const calls = message.content.flatMap((part): DrawnText[] =>
    part.type === "toolCall" ? [{ tag: `call ${part.name}`, text: callText(part.arguments, cuts), ink: "dark" }] : [],
  );
  return [...words, ...calls];
}

function callText(input: unknown, cuts: Cuts): string {
  const rows = Object.entries((input ?? {}) as Record<string, unknown>).map(
    ([name, value]) =>
      `${name}=${shortened(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), cuts.argument, cuts)}`,
  );
  return shortened(rows.join(" "), cuts.call, cuts);
}

function shortened(text: string, most: number, { head }: Cuts): string {
  if (text.length <= most) return text;
  const first = Math.floor(most * head);
  const tail = text.slice(text.length - (most - first));
  return `${text.slice(0, first)} […${text.length - most} characters…] ${tail}`.toWellFormed();
}
