import type { Shift } from "../../snapshot/seen.ts";
import type { LineOp } from "./change.ts";
import { align } from "./diff.ts";
import type { Lines } from "./line.ts";

/** An operation whose lines may have moved since they were named. */
export interface AnchoredOp extends LineOp {
  /** Lines that it is anchored at. */
  anchors: readonly number[];
  /** The end of the file that it belongs to, where it has no anchor. */
  edge?: "head" | "tail";
}

/** Operations with their line numbers after these shifts; undefined when one of their own lines was touched. */
export function follow(
  ops: readonly AnchoredOp[],
  shifts: readonly Shift[],
  room: { margin: number; count: number },
): AnchoredOp[] | undefined {
  const moved = ops.map((op) => followOne(op, shifts, room));
  return moved.every((op) => op !== undefined) ? moved : undefined;
}

/**
 * Carries operations from the content they were made for to one that something else has changed. Their lines and those
 * next to them must be untouched, though others may have come between, and stand in one place only; else undefined.
 */
export function carry(ops: readonly AnchoredOp[], base: Lines, now: Lines): AnchoredOp[] | undefined {
  const blocks = align(base.wholes(), now.wholes());
  const shifts = blocks.map(({ oldStart, removed, added }) => ({ start: oldStart, removed, added }));
  const moved = follow(ops, shifts, { margin: 1, count: base.count });
  return moved && ops.every((op) => isUnique(op, base, now)) ? moved : undefined;
}

function followOne(
  op: AnchoredOp,
  shifts: readonly Shift[],
  { margin, count }: { margin: number; count: number },
): AnchoredOp | undefined {
  // The beginning of the file is where it always was.
  if (op.edge === "head") return op;
  let by = 0;
  const [first, last] = span(op);
  // The edges of the file need no lines around them; an insertion needs the two that it comes between.
  const isInsertion = op.to < op.from && margin > 0;
  const [before, behind] = isInsertion ? [op.to, op.from] : [first - margin, last + margin];
  const [low, high] = [Math.max(1, before), Math.min(count, behind)];
  for (const { start, removed, added } of shifts) {
    // An insertion touches no line, but it parts two: those of a range, or the two that something is put between.
    const touches =
      removed > 0
        ? start <= high && start + removed - 1 >= low
        : op.to < op.from
          ? start > low && start <= high
          : start > first && start <= last;
    if (touches && op.anchors.length > 0) return undefined;
    if (start <= (op.anchors[0] ?? op.from)) by += added - removed;
  }
  return { ...op, from: op.from + by, to: op.to + by, anchors: op.anchors.map((n) => n + by) };
}

/** The lines that must be untouched: those that are changed, or the anchor of an insertion. */
const span = (op: AnchoredOp): [number, number] =>
  op.to < op.from ? [op.anchors[0] ?? op.from, op.anchors[0] ?? op.from] : [op.from, op.to];

/** True where its own lines stand only once in both contents, or else with four lines around them in the new one. */
function isUnique(op: AnchoredOp, base: Lines, now: Lines): boolean {
  if (op.anchors.length === 0) return true;
  const [first, last] = span(op);
  const part = (before: number, behind: number) =>
    base.text.slice(base.start(Math.max(1, first - before)), base.start(Math.min(base.count, last + behind) + 1));
  const own = part(0, 0);
  if (own.trim() !== "" && isOnce(own, base) && isOnce(own, now)) return true;
  // A line near by may have changed.
  return [2, 0, 4].some((before) => isOnce(part(before, 4 - before), now));
}

/** True for whole lines that stand in a text exactly once. */
function isOnce(part: string, { text }: Lines): boolean {
  const isEdge = (at: number) => at === 0 || at === text.length || /[\r\n]/.test(text.charAt(at - 1));
  const ends = (at: number) => isEdge(at) || /[\r\n]/.test(text.charAt(at));
  let count = 0;
  for (let at = text.indexOf(part); at !== -1 && count < 2; at = text.indexOf(part, at + 1))
    if (isEdge(at) && ends(at + part.length)) count++;
  return count === 1;
}
