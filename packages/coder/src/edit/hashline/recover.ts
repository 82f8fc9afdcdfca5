import { align } from "../diff.ts";
import type { Lines } from "../line.ts";
import type { Resolved } from "./resolve.ts";

/** What became of a run of lines: `removed` from line `start` gave way to `added`. */
export interface Moved {
  start: number;
  removed: number;
  added: number;
}

/** Operations with the line numbers they have after these moves; nothing when one of their own lines was touched. */
export function follow(
  ops: readonly Resolved[],
  moves: readonly Moved[],
  room: { margin: number; count: number },
): Resolved[] | undefined {
  const moved = ops.map((op) => followOne(op, moves, room));
  return moved.every((op) => op !== undefined) ? moved : undefined;
}

/**
 * Carries operations from the content they were made for to one that something else has changed: the lines they change
 * and two lines around them must be untouched, and stand in the new content only once.
 */
export function carry(ops: readonly Resolved[], base: Lines, now: Lines): Resolved[] | undefined {
  const blocks = align(base.wholes(1, base.count), now.wholes(1, now.count));
  const moves = blocks.map((block) => ({ start: block.oldStart, removed: block.removed, added: block.added }));
  const moved = follow(ops, moves, { margin: 2, count: base.count });
  return moved && ops.every((op) => isUnique(op, base, now)) ? moved : undefined;
}

function followOne(
  op: Resolved,
  moves: readonly Moved[],
  { margin, count }: { margin: number; count: number },
): Resolved | undefined {
  // The beginning of the file is where it always was.
  if (op.edge === "head") return op;
  let by = 0;
  const [first, last] = span(op);
  // The edges of the file need no lines around them.
  const [low, high] = [Math.max(1, first - margin), Math.min(count, last + margin)];
  for (const { start, removed, added } of moves) {
    // An insertion touches no line, but it parts two.
    const touches = removed > 0 ? start <= high && start + removed - 1 >= low : start > low && start <= high;
    if (touches && op.anchors.length > 0) return undefined;
    if (start <= (op.anchors[0] ?? op.from)) by += added - removed;
  }
  return { ...op, from: op.from + by, to: op.to + by, anchors: op.anchors.map((n) => n + by) };
}

/** The lines that must be untouched: those that are changed, or the one that is inserted at. */
const span = (op: Resolved): [number, number] =>
  op.to < op.from ? [op.anchors[0] ?? op.from, op.anchors[0] ?? op.from] : [op.from, op.to];

function isUnique(op: Resolved, base: Lines, now: Lines): boolean {
  if (op.anchors.length === 0) return true;
  const [first, last] = span(op);
  const part = base.text.slice(base.start(Math.max(1, first - 2)), base.start(Math.min(base.count, last + 2) + 1));
  const at = now.text.indexOf(part);
  return at !== -1 && now.text.indexOf(part, at + 1) === -1;
}
