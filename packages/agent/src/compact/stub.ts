import type { ToolResultMessage } from "@pith/llm";
import { textOf } from "../session/text.ts";
import type { MeasuredEntry } from "./cut.ts";
import type { MessageEdit } from "./strategy/strategy.ts";

// Replacements for results that the model is no longer shown; the record keeps them whole.

/** Address of a whole entry. */
export const addressOf = (id: string): string => `history://session/${id}`;

const truncated = (tokens: number, id: string): string =>
  `[Output truncated - ${Math.max(1, Math.round(tokens))} tokens]\n${addressOf(id)}`;

/** Tokens of a stub. */
export const stubTokens = 30;

export const resultOf = ({ messages }: MeasuredEntry): ToolResultMessage | undefined =>
  messages[0]?.role === "toolResult" ? messages[0] : undefined;

/** Replaces a result by a line with its length and address. */
export const stub = ({ entry, tokens }: MeasuredEntry): MessageEdit => ({
  targetId: entry.id,
  replacement: { content: truncated(tokens, entry.id) },
});

/** Cuts a result to head and tail of about `keep` tokens. */
export function shortened(item: MeasuredEntry, keep: number): MessageEdit {
  const text = textOf(resultOf(item)?.content);
  const characters = Math.floor((text.length * Math.max(0, keep - stubTokens)) / Math.max(1, item.tokens));
  if (characters < 80) return stub(item);
  const head = text.slice(0, Math.floor(characters * 0.6)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(characters * 0.4)).toWellFormed();
  const content = [head, truncated(item.tokens - keep, item.entry.id), tail].join("\n\n");
  return { targetId: item.entry.id, replacement: { content } };
}
