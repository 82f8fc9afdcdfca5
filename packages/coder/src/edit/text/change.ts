import { fail, ok, type Result } from "@pith/kit";
import { type Decoded, encode, isByteWise, markOf } from "../../snapshot/decode.ts";
import { exactly, mixedBytes, shown, within } from "./bad.ts";
import type { Lines } from "./line.ts";

/** `text` takes the place of what stands from `start` to `end`, in UTF-16 offsets of a known text. */
export interface Change {
  start: number;
  end: number;
  text: string;
}

/** The same in bytes of the file. Every byte outside the ranges stays. */
export interface ByteChange {
  start: number;
  end: number;
  bytes: Uint8Array;
}

/** Changes in order of place; those at the same place keep the order in which they were given. */
export const inOrder = (changes: readonly Change[]): Change[] =>
  changes.toSorted((a, b) => a.start - b.start || a.end - b.end);

/** Turns changes of the text into changes of the bytes it was decoded from. They must not overlap. */
export function compile(base: Decoded, changes: readonly Change[]): Result<ByteChange[], "encoding"> {
  const plan: ByteChange[] = [];
  let at = 0;
  let byte = markOf(base).length;
  const advance = (to: number) => {
    byte += width(base, at, to);
    at = to;
    return byte;
  };
  const sorted = inOrder(changes);
  const pieces = base.bad ? exactly(base.text, base.bad, sorted) : sorted;
  const written = base.bad ? mixedBytes(base.text, base.bad, pieces) : undefined;
  for (const [i, { start, end, text }] of pieces.entries()) {
    if (start < at && base.bad) return fail("encoding", "the edits meet inside of one byte that is no UTF-8");
    if (start < at) throw new Error(`changes overlap at ${start}`);
    const bytes = encode(text, base.encoding);
    if (!bytes.ok) return fail("encoding", `the new text ${bytes.message}`);
    plan.push({ start: advance(start), end: advance(end), bytes: written?.[i] ?? bytes.value });
  }
  return ok(plan);
}

/**
 * The characters that a change touches, for lines: a return before it, and one that it ends with, make one line end
 * together with a newline that comes to stand beside them.
 */
export function reach(text: string, { start, end, text: fresh }: Change): { start: number; end: number } {
  const next = text.charAt(end);
  const joinsLast = text[start - 1] === "\r" && (fresh || next).startsWith("\n");
  return { start: joinsLast ? start - 1 : start, end: fresh.endsWith("\r") && next === "\n" ? end + 1 : end };
}

export function splice(bytes: Uint8Array, plan: readonly ByteChange[]): Buffer {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const change of plan) {
    pieces.push(bytes.subarray(at, change.start), change.bytes);
    at = change.end;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

/** The text after the changes. */
export function spliceText(text: string, changes: readonly Change[]): string {
  let made = "";
  let at = 0;
  for (const change of inOrder(changes)) {
    made += text.slice(at, change.start) + change.text;
    at = change.end;
  }
  return made + text.slice(at);
}

/**
 * Lines `from` to `to` give way to `rows`. A new line takes the line end of the line whose place it takes, further ones
 * that of the last; where the file ends without a newline it goes on doing so.
 */
export function replaceLines(lines: Lines, from: number, to: number, rows: readonly string[]): Change {
  if (rows.length === 0) return deleteLines(lines, from, to);
  const inner = innerEol(lines, from);
  const text = rows
    .map((row, i) => row + (i === rows.length - 1 ? lines.eol(to) : lines.eol(Math.min(from + i, to)) || inner))
    .join("");
  return { start: lines.start(from), end: lines.start(to + 1), text };
}

/** New lines after line `after`; 0 is the beginning of the file. */
export function insertLines(lines: Lines, after: number, rows: readonly string[]): Change {
  const at = lines.start(after + 1);
  const eol = innerEol(lines, after || 1);
  // After a last line without a newline, the newline comes first.
  const bare = after > 0 && lines.eol(after) === "";
  const text = bare ? rows.map((row) => eol + row).join("") : rows.map((row) => row + eol).join("");
  return { start: at, end: at, text };
}

function deleteLines(lines: Lines, from: number, to: number): Change {
  const bare = to === lines.count && lines.eol(to) === "" && from > 1;
  const start = lines.start(from) - (bare ? lines.eol(from - 1).length : 0);
  return { start, end: lines.start(to + 1), text: "" };
}

/** The line end for a line that has no other to take it from: its neighbour's, else that of most lines. */
const innerEol = (lines: Lines, near: number): string => lines.eol(near) || lines.eol(near - 1) || lines.style;

function width({ encoding, text, bad }: Decoded, from: number, to: number): number {
  if (isByteWise(encoding)) return to - from;
  if (encoding !== "utf-8") return (to - from) * 2;
  const all = Buffer.byteLength(text.slice(from, to), "utf8");
  return bad ? all - (shown - 1) * within(bad, from, to).length : all;
}

/** Lines `from` to `to` give way to `rows`; `to === from - 1` puts them before line `from`. */
export interface LineOp {
  from: number;
  to: number;
  rows: readonly string[];
}

/** Operations on lines as changes of the text. Touching ones become one change, so that line ends are decided once. */
export function lineChanges(lines: Lines, ops: readonly LineOp[]): Change[] {
  const merged: { from: number; to: number; rows: string[] }[] = [];
  for (const { from, to, rows } of ops.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = merged.at(-1);
    if (last && from <= last.to + 1) {
      last.rows.push(...rows);
      last.to = Math.max(last.to, to);
    } else merged.push({ from, to, rows: [...rows] });
  }
  return merged.map(({ from, to, rows }) =>
    to < from ? insertLines(lines, from - 1, rows) : replaceLines(lines, from, to, rows),
  );
}
