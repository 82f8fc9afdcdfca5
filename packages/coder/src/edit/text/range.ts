import { shorten } from "@pith/kit";
import type { Shift } from "../../snapshot/folder.ts";
import type { Lines } from "./line.ts";

const maxRows = 40;
const maxColumns = 80;

/** One changed place in words, and the first and last of the lines that went. */
export interface ChangedRange {
  what: string;
  gone: string[];
}

/**
 * What the model is told of a change that is as it wrote it: which lines went (old numbers), where the new ones stand
 * (new numbers), and by how much the numbers below have moved.
 */
export function changedRanges(before: Lines, shifts: readonly Shift[]): ChangedRange[] {
  const ranges: ChangedRange[] = [];
  let moved = 0;
  for (const { start, removed, added } of shifts.slice(0, maxRows)) {
    const now = start + moved;
    moved += added - removed;
    const old = range(start, removed);
    // Only its end changed: a line that had none has one now.
    const what =
      added === 0 && removed === 0
        ? "ended the last line"
        : added === 0
          ? `deleted ${old}`
          : removed === 0
            ? `inserted ${range(now, added)}`
            : `replaced ${old} by ${range(now, added)}`;
    const ends = removed === 0 ? [] : removed === 1 ? [start] : [start, start + removed - 1];
    ranges.push({
      what: `${what}${moved === 0 ? "" : `; below ${moved > 0 ? "+" : ""}${moved}`}`,
      gone: ends.map((n) => gone(before, n)),
    });
  }
  const more = shifts.length - maxRows;
  return more > 0 ? [...ranges, { what: `and ${more} more places`, gone: [] }] : ranges;
}

const range = (start: number, count: number): string => (count === 1 ? `${start}` : `${start}-${start + count - 1}`);

const gone = (lines: Lines, n: number): string => {
  const text = lines.at(n);
  return `-${n}:${shorten(text, maxColumns + 1)}`;
};
