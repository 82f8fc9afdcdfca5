import { insert, lineEnd, lineStart, step, type TextBuffer } from "../buffer.ts";
import { firstLetter, type MotionInput } from "./motion.ts";
import type { TextRange } from "./object.ts";
import { otherCase, widenRange } from "./operate.ts";
import type { RegisterText } from "./register.ts";

// Changes of a buffer that need no operator, as values.

/** Pastes a register behind or before the letter under the cursor, lines below or above its line. */
export function pasteText(
  { text, cursor }: TextBuffer,
  held: RegisterText,
  side: "before" | "after",
  times: number,
): TextBuffer | undefined {
  if (held.text === "" && !held.lines) return undefined;
  if (held.lines) {
    const body = new Array<string>(times).fill(held.text).join("\n");
    const at = side === "after" ? lineEnd(text, cursor) : lineStart(text, cursor);
    const next = text.slice(0, at) + (side === "after" ? `\n${body}` : `${body}\n`) + text.slice(at);
    return { text: next, cursor: firstLetter(next, side === "after" ? at + 1 : at) };
  }
  const at = side === "after" ? forward({ text, cursor }, 1) : cursor;
  const next = insert({ text, cursor: at }, held.text.repeat(times));
  return { text: next.text, cursor: held.text.includes("\n") ? at : step(next.text, next.cursor, -1) };
}

/** Joins this line and the next ones, with a space between where vi puts one. */
export function joinLines(buffer: TextBuffer, { count = 2 }: MotionInput, between: "" | " "): TextBuffer | undefined {
  let { text, cursor } = buffer;
  for (let left = Math.max(2, count) - 1; left > 0; left--) {
    const end = lineEnd(text, cursor);
    if (end === text.length) break;
    const below = text.slice(end + 1);
    const rest = between === "" ? below : below.replace(/^[ \t]+/, "");
    const none =
      between === "" ||
      /[ \t]$/.test(text.slice(lineStart(text, end), end)) ||
      /^(?:\)|\n|$)/.test(rest) ||
      lineStart(text, end) === end;
    [text, cursor] = [text.slice(0, end) + (none ? "" : " ") + rest, end];
  }
  return text === buffer.text ? undefined : { text, cursor };
}

/** The offset `times` letters on, within the line. */
export function forward({ text, cursor }: TextBuffer, times: number): number {
  let at = cursor;
  for (let left = times; left > 0 && at < lineEnd(text, at); left--) at = step(text, at, 1);
  return at;
}

/** Replaces `times` letters by `char`; undefined where the line has fewer. */
export function replaceChars(buffer: TextBuffer, char: string, times: number): TextBuffer | undefined {
  const { text, cursor } = buffer;
  const to = forward(buffer, times);
  if (char === "" || Array.from(text.slice(cursor, to)).length !== times) return undefined;
  return {
    text: text.slice(0, cursor) + char.repeat(times) + text.slice(to),
    cursor: cursor + char.length * (times - 1),
  };
}

export function switchCase(buffer: TextBuffer, times: number): TextBuffer {
  const { text, cursor } = buffer;
  const to = forward(buffer, times);
  return { text: text.slice(0, cursor) + otherCase(text.slice(cursor, to)) + text.slice(to), cursor: to };
}

/** A range replaced by the text of a register. */
export function replaceRange(text: string, range: TextRange, held: RegisterText): TextBuffer {
  const { from, to } = widenRange(text, range);
  const inserted = held.lines && !range.lines ? `\n${held.text}\n` : held.text;
  const cursor = held.lines || range.lines ? from : Math.max(from, from + inserted.length - 1);
  return { text: text.slice(0, from) + inserted + text.slice(to), cursor };
}
