import { shorten } from "@pith/kit";
import { type Block, hunksOf } from "./diff.ts";
import type { Lines } from "./line.ts";

const maxRows = 80;
const maxRun = 16;
const maxColumns = 300;

/**
 * A change as the model is shown it: `-LINE:text` of lines that went (old numbers), `+LINE:text` and ` LINE:text` of
 * lines that stand there now (new numbers, good for the next edit). Long runs are cut in the middle.
 */
export function excerpt(before: Lines, after: Lines, blocks: readonly Block[]): string {
  const rows: string[] = [];
  for (const hunk of hunksOf(blocks, 2)) {
    if (rows.length >= maxRows) {
      rows.push(`… ${blocks.length - blocks.indexOf(hunk[0] as Block)} more changed places`);
      break;
    }
    if (rows.length > 0) rows.push("…");
    rows.push(...hunkRows(before, after, hunk));
  }
  return rows.join("\n");
}

function hunkRows(before: Lines, after: Lines, hunk: readonly Block[]): string[] {
  const rows: string[] = [];
  const first = hunk[0];
  let at = first ? Math.max(1, first.newStart - 2) : 1;
  for (const { oldStart, removed, newStart, added } of hunk) {
    rows.push(
      ...run(" ", after, at, newStart - 1),
      ...run("-", before, oldStart, oldStart + removed - 1),
      ...run("+", after, newStart, newStart + added - 1),
    );
    at = newStart + added;
  }
  return [...rows, ...run(" ", after, at, Math.min(after.count, at + 1))];
}

function run(sign: string, lines: Lines, from: number, to: number): string[] {
  const rows: string[] = [];
  const left = to - from + 1 - maxRun;
  for (let n = from; n <= to; n++) {
    if (left > 1 && n === from + maxRun / 2) {
      rows.push(`… ${left} more lines`);
      n += left - 1;
    } else rows.push(`${sign}${n}:${shorten(lines.at(n), maxColumns + 1)}`);
  }
  return rows;
}
