import { shorten } from "@pith/kit";
import type { Shift } from "../../snapshot/seen.ts";
import type { Lines } from "./line.ts";

const maxRows = 40;
const maxColumns = 80;
/** The most lines of one place that are shown whole; of more, the first and the last. */
const maxGone = 4;

/** A changed place in words, and the lines that went. */
export interface ChangedRange {
  what: string;
  gone: string[];
}

/**
 * Tells of a change that is as the model wrote it: the lines that went (old numbers), the place of the new ones (new
 * numbers), and by how much the numbers below have moved.
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
    const last = start + removed - 1;
    const row = (n: number) => `-${n}:${shorten(before.at(n), maxColumns + 1)}`;
    const left = `-… ${removed - 2} more: ${start + 1}-${last - 1}`;
    const all = Array.from({ length: Math.min(removed, maxGone) }, (_, i) => row(start + i));
    ranges.push({
      what: `${what}${moved === 0 ? "" : `; below ${moved > 0 ? "+" : ""}${moved}`}`,
      gone: removed > maxGone ? [row(start), left, row(last)] : all,
    });
  }
  const more = shifts.length - maxRows;
  return more > 0 ? [...ranges, { what: `and ${more} more places`, gone: [] }] : ranges;
}

const range = (start: number, count: number): string => (count === 1 ? `${start}` : `${start}-${start + count - 1}`);
