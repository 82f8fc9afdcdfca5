/** `removed` lines from line `start` (1-based, of the older content) gave way to `added` lines. */
export interface Shift {
  start: number;
  removed: number;
  added: number;
}

/** Lines of a content, in order, none touching another. */
export type LineSet = readonly (readonly [from: number, to: number])[];

export const allLines: LineSet = [[1, Number.MAX_SAFE_INTEGER]];

/** The lines of both. */
export function joinedLines(one: LineSet, other: LineSet): LineSet {
  const joined: [number, number][] = [];
  for (const [from, to] of [...one, ...other].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else if (to >= from) joined.push([from, to]);
  }
  return joined;
}

/** The lines of a range that are not in a set. */
export function linesBeyond(seen: LineSet, from: number, to: number): [number, number][] {
  const beyond: [number, number][] = [];
  let next = from;
  for (const [start, end] of seen) {
    if (start > to) break;
    if (start > next) beyond.push([next, start - 1]);
    next = Math.max(next, end + 1);
  }
  return next <= to ? [...beyond, [next, to]] : beyond;
}

/** The lines after an edit of one's own, whose new lines count too. */
export function shiftedLines(seen: LineSet, shifts: readonly Shift[]): LineSet {
  let lines = seen;
  let by = 0;
  for (const { start, removed, added } of shifts) {
    const at = start + by;
    const before = lines.map(([from, to]) => [from, Math.min(to, at - 1)] as const);
    const behind = lines.map(([from, to]) => [Math.max(from, at + removed), to] as const);
    const moved = behind.map(([from, to]) => [from + added - removed, to + added - removed] as const);
    const fresh = [[at, at + added - 1] as const];
    lines = joinedLines(
      [...before, ...fresh].filter(([from, to]) => to >= from),
      moved.filter(([from, to]) => to >= from),
    );
    by += added - removed;
  }
  return lines;
}
