import { sumOf } from "@pith/kit";
import { type Change, inOrder, reach } from "./change.ts";
import { sharedEnds } from "./ends.ts";
import { Lines } from "./line.ts";

/** `removed` lines from old line `oldStart` gave way to `added` lines from new line `newStart`; both 1-based. */
export interface Block {
  oldStart: number;
  removed: number;
  newStart: number;
  added: number;
}

/** The lines that differ, found where the changes are and nowhere else: cost follows the edit, not the file. */
export function blocksOf(before: Lines, after: Lines, changes: readonly Change[]): Block[] {
  const blocks: Block[] = [];
  let shift = 0;
  for (const group of grouped(before, changes)) {
    const newFrom = group.from + shift;
    const newTo = lastLine(before, after, group, newFrom);
    for (const block of align(before.wholes(group.from, group.to), after.wholes(newFrom, newTo)))
      blocks.push({ ...block, oldStart: block.oldStart + group.from - 1, newStart: block.newStart + newFrom - 1 });
    shift += newTo - newFrom - (group.to - group.from);
  }
  return blocks;
}

/** The differences of two lists of lines; those that are too different to align within the limit are a single block. */
export function align(a: readonly string[], b: readonly string[], limit = 1000): Block[] {
  const { head, tail } = sharedEnds(a, b);
  const [from, to] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (from.length === 0 && to.length === 0) return [];
  const whole = [{ oldStart: head + 1, removed: from.length, newStart: head + 1, added: to.length }];
  if (from.length === 0 || to.length === 0) return whole;
  const pairs = shortest(from, to, limit);
  return pairs ? gaps(pairs, from.length, to.length, head) : whole;
}

/** The number of lines that blocks add and remove. */
export const countsOf = (blocks: readonly Block[]): { added: number; removed: number } => ({
  added: sumOf(blocks, ({ added }) => added),
  removed: sumOf(blocks, ({ removed }) => removed),
});

/** Neighbouring blocks with the lines around them, as one hunk of a diff. */
export function hunksOf(blocks: readonly Block[], context: number): Block[][] {
  const hunks: Block[][] = [];
  let last: Block | undefined;
  for (const block of blocks) {
    if (last && block.oldStart - (last.oldStart + last.removed) <= 2 * context) hunks.at(-1)?.push(block);
    else hunks.push([block]);
    last = block;
  }
  return hunks;
}

/** A unified diff; a missing name stands for no file. */
export function unified(
  before: Lines,
  after: Lines,
  blocks: readonly Block[],
  { from, to }: { from: string | undefined; to: string | undefined },
): string {
  const named = (side: string, name: string | undefined) =>
    name === undefined ? "/dev/null" : `${side}/${name.replace(/^\//, "")}`;
  const rows = [`--- ${named("a", from)}`, `+++ ${named("b", to)}`];
  for (const hunk of hunksOf(blocks, 3)) rows.push(...hunkRows(before, after, hunk));
  return `${rows.join("\n")}\n`;
}

/** A unified diff from one text to another, as of a file of this name. */
export function diffText(before: string, after: string, name: string): string {
  const [a, b] = [new Lines(before), new Lines(after)];
  return unified(a, b, align(a.wholes(), b.wholes()), { from: name, to: name });
}

function hunkRows(before: Lines, after: Lines, hunk: readonly Block[]): string[] {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (!first || !last) return [];
  const lead = Math.min(3, first.oldStart - 1);
  const oldFrom = first.oldStart - lead;
  const oldTo = Math.min(before.count, last.oldStart + last.removed + 2);
  const newTo = oldTo + (last.newStart + last.added) - (last.oldStart + last.removed);
  const newFrom = first.newStart - lead;
  const rows = [`@@ -${range(oldFrom, oldTo)} +${range(newFrom, newTo)} @@`];
  let at = oldFrom;
  const put = (sign: string, lines: Lines, from: number, to: number) => {
    for (let n = from; n <= to; n++) {
      const whole = lines.whole(n);
      rows.push(sign + (/[\r\n]$/.test(whole) ? whole.slice(0, -1) : `${whole}\n\\ No newline at end of file`));
    }
  };
  for (const block of hunk) {
    put(" ", before, at, block.oldStart - 1);
    put("-", before, block.oldStart, block.oldStart + block.removed - 1);
    put("+", after, block.newStart, block.newStart + block.added - 1);
    at = block.oldStart + block.removed;
  }
  put(" ", before, at, oldTo);
  return rows;
}

const range = (from: number, to: number): string => {
  const count = to - from + 1;
  return count === 1 ? String(from) : `${count === 0 ? from - 1 : from},${count}`;
};

interface Group {
  from: number;
  to: number;
  /** Characters gained by the changes. */
  grown: number;
}

/** Changes that touch the same or adjoining lines, as ranges of whole old lines. */
function grouped(lines: Lines, changes: readonly Change[]): Group[] {
  const groups: Group[] = [];
  for (const change of inOrder(changes)) {
    const { start, end } = reach(lines.text, change);
    const from = lines.of(start);
    // The line after a removed line end counts too: the two may have been joined.
    const to = Math.min(lines.count, Math.max(from, lines.of(end)));
    const last = groups.at(-1);
    const grown = change.text.length - (change.end - change.start);
    if (last && from <= last.to + 1) {
      last.to = Math.max(last.to, to);
      last.grown += grown;
    } else groups.push({ from, to, grown });
  }
  return groups;
}

/** The last new line of a group: where its old last line ends, moved by what was gained until there. */
function lastLine(before: Lines, after: Lines, group: Group, newFrom: number): number {
  const start = after.start(newFrom);
  const end = start + (before.start(group.to + 1) - before.start(group.from)) + group.grown;
  return end <= start ? newFrom - 1 : after.of(end - 1);
}

/** Myers' shortest edit script as pairs of equal lines, or nothing when more than `limit` lines differ. */
function shortest(a: readonly string[], b: readonly string[], limit: number): [number, number][] | undefined {
  const most = Math.min(limit, a.length + b.length);
  const ends = new Int32Array(2 * most + 2);
  const traces: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    traces.push(ends.slice());
    for (let k = -d; k <= d; k += 2) {
      const at = k + most;
      let x =
        k === -d || (k !== d && (ends[at - 1] ?? 0) < (ends[at + 1] ?? 0))
          ? (ends[at + 1] ?? 0)
          : (ends[at - 1] ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      ends[at] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(a.length, b.length, traces, most);
    }
  }
  return undefined;
}

function walkBack(x: number, y: number, traces: readonly Int32Array[], most: number): [number, number][] {
  const pairs: [number, number][] = [];
  let [i, j] = [x, y];
  for (let d = traces.length - 1; d >= 0; d--) {
    const ends = traces[d] as Int32Array;
    const k = i - j;
    const at = k + most;
    const down = k === -d || (k !== d && (ends[at - 1] ?? 0) < (ends[at + 1] ?? 0));
    const [startX, startK] = down ? [ends[at + 1] ?? 0, k + 1] : [ends[at - 1] ?? 0, k - 1];
    const stopX = d === 0 ? 0 : startX;
    const stopY = d === 0 ? 0 : startX - startK;
    while (i > stopX && j > stopY) pairs.push([--i, --j]);
    [i, j] = [stopX, stopY];
  }
  return pairs.reverse();
}

function gaps(pairs: readonly [number, number][], a: number, b: number, head: number): Block[] {
  const blocks: Block[] = [];
  let [i, j] = [0, 0];
  for (const [x, y] of [...pairs, [a, b] as [number, number]]) {
    if (x > i || y > j) blocks.push({ oldStart: head + i + 1, removed: x - i, newStart: head + j + 1, added: y - j });
    [i, j] = [x + 1, y + 1];
  }
  return blocks;
}
