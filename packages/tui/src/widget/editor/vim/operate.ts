import { lineEnd, lineStart, remove, step, type TextBuffer } from "../buffer.ts";
import { firstLetter, lineAway, type MotionInput, motionEnd } from "./motion.ts";
import type { TextRange } from "./object.ts";

// The range that an operator takes, and the buffer after it, as values.

export const operators: ReadonlySet<string> = new Set(["d", "c", "y", ">", "<", "g~", "gu", "gU"]);

/** Motions that fail where they lead nowhere. */
const stubborn = new Set(["b", "B", "ge", "gE", "{"]);

/** The range from the cursor to the end of a motion; for the key `line`, as many lines as the count says. */
export function operatorRange(
  buffer: TextBuffer,
  operator: string,
  key: string,
  input: MotionInput,
): TextRange | undefined {
  const { text, cursor } = buffer;
  if (key === "line") {
    const end = lineAway(text, cursor, input.times - 1);
    return end === undefined ? undefined : { from: cursor, to: end, lines: true };
  }
  const byWord = key === "w" || key === "W";
  const onWord = operator === "c" && /\S/.test(text[cursor] ?? "");
  const where = motionEnd(buffer, onWord && byWord ? `c${key}` : key, input);
  if (!where || (stubborn.has(key) && where.to === cursor)) return undefined;
  const [from, end] = where.to < cursor ? [where.to, cursor] : [cursor, where.to];
  const range = { from, to: where.includes && !where.lines ? step(text, end, 1) : end, lines: where.lines ?? false };
  return where.includes || where.lines ? range : byWord ? shortOfLine(text, range) : shortOfNext(text, range);
}

/** Ends a range that reaches the start of a line with the line before; from the start of one on, it is whole lines. */
function shortOfNext(text: string, { from, to }: TextRange): TextRange {
  const above = lineStart(text, to) - 1;
  if (above < from || above + 1 !== to) return { from, to, lines: false };
  return { from, to: above, lines: firstLetter(text, from) >= from };
}

/** Ends a range behind the last word of a line before its line end and the blank lines below. */
function shortOfLine(text: string, { from, to: reached }: TextRange): TextRange {
  const above = lineStart(text, reached) - 1;
  if (above < from || firstLetter(text, reached) !== reached) return { from, to: reached, lines: false };
  let to = above;
  while (to > from && /\s/.test(text[to - 1] ?? "") && text.slice(from, to).includes("\n")) to--;
  return { from, to, lines: false };
}

/** The range up to its edges: whole lines from their first to behind their last character. */
export const widenRange = (text: string, { from, to, lines }: TextRange): TextRange =>
  lines ? { from: lineStart(text, from), to: lineEnd(text, to), lines } : { from, to, lines };

/** The buffer after an operator; `range` is widened already. */
export function applyOperator(
  { text, cursor }: TextBuffer,
  operator: string,
  { from, to, lines }: TextRange,
  start: number,
): TextBuffer {
  const turn = caseOf[operator];
  const shift = shifts[operator];
  if (operator === "y") return { text, cursor: start };
  if (turn)
    return { text: text.slice(0, from) + turn(text.slice(from, to)) + text.slice(to), cursor: lines ? start : from };
  if (shift) {
    const [low, high] = [lineStart(text, from), lineEnd(text, lines ? to : Math.max(from, to - 1))];
    const next = text.slice(0, low) + text.slice(low, high).split("\n").map(shift).join("\n") + text.slice(high);
    return { text: next, cursor: firstLetter(next, low) };
  }
  return operator === "d" && lines ? withoutLines(text, from, to) : remove({ text, cursor }, from, to);
}

function withoutLines(text: string, from: number, to: number): TextBuffer {
  const next = text.slice(0, to === text.length ? Math.max(0, from - 1) : from) + text.slice(to + 1);
  return { text: next, cursor: firstLetter(next, Math.min(from, next.length)) };
}

const shifts: Record<string, (line: string) => string> = {
  ">": (line) => (line === "" ? "" : `  ${line}`),
  "<": (line) => line.replace(/^ {1,2}/, ""),
};
const caseOf: Record<string, (text: string) => string> = {
  gu: (text) => text.toLowerCase(),
  gU: (text) => text.toUpperCase(),
  "g~": otherCase,
};
export function otherCase(text: string): string {
  return Array.from(text, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join("");
}
