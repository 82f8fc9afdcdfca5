import { leftOn } from "../text/carry.ts";
import { strip, width } from "../text/width.ts";

/** The part of a row that has to be written again. */
export interface RowChange {
  /** The cell from which on it is written. */
  readonly column: number;
  readonly text: string;
  /** True if the old end of the row has to go. */
  readonly erase: boolean;
}

/**
 * The least of a row that has to be written again. Only plain letters and their colours are left before it, since there
 * one character is one cell, and behind it only what begins in the same cell.
 */
export function rowChange(was: string, text: string, columns: number): RowChange {
  const whole: RowChange = { column: 0, text, erase: was !== "" };
  // A row that was cut at the edge does not stand on the grid as it is.
  if (was === "" || width(was) > columns || width(text) > columns) return whole;
  const grows = text.startsWith(was);
  const start = lead.exec(grows ? was : text.slice(0, sharedStart(was, text)))?.[0] ?? "";
  const column = start.includes("\x1b") ? start.replace(colour, "").length : start.length;
  const [before, after] = [was.slice(start.length), text.slice(start.length)];
  if (column >= columns || joins.test(before) || joins.test(after)) return whole;
  const state = leftOn(start);
  const middle = grows ? undefined : middleOf(before, after);
  if (middle !== undefined) return { column, text: state + middle, erase: false };
  return column < least ? whole : { column, text: state + after, erase: strip(before) !== "" };
}

/** Fewer cells than the move behind them takes are written again. */
const least = 8;
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const lead = /^(?:[\x20-\x7e]|\x1b\[[\d;:]*m)*/;
const colour = /\x1b\[[\d;:]*m/g;
/** A character that joins the letter before it. */
const joins =
  /^(?:\x1b\[[\d;:]*m)*(?![\x20-\x7e])[\p{M}\p{Cf}\p{Sk}\u0e33\u0eb3\u1160-\u11ff\uff9e\uff9f\udc00-\udfff]/u;
/** Characters that are equally wide on every terminal, and that nothing joins. */
const plain = /^[\x20-\x7e\u2500-\u25fc\u2800-\u28ff]*$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: escape sequences are the subject

function sharedStart(was: string, text: string): number {
  const limit = Math.min(was.length, text.length);
  let at = 0;
  while (at < limit && was.charCodeAt(at) === text.charCodeAt(at)) at++;
  return at;
}

/** The part that differs, if the rest is the same in the same cells and colours. */
function middleOf(before: string, after: string): string | undefined {
  const limit = Math.min(before.length, after.length);
  let same = 0;
  while (same < limit && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same))
    same++;
  if (same < least) return undefined;
  const [old, fresh] = [before.slice(0, -same), after.slice(0, -same)];
  // If a terminal has another width for one of them, the rest would stand in the wrong cells.
  if (!plain.test(old) || !plain.test(fresh) || joins.test(after.slice(-same))) return undefined;
  return old.length === fresh.length ? fresh : undefined;
}
