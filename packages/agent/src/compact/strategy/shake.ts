import { fail, ok, sumOf } from "@pith/kit";
import { findCut, type MeasuredEntry, measurePath, totalTokens } from "../cut.ts";
import { resultOf, shortened, stub, stubTokens } from "../stub.ts";
import type { MessageEdit, Strategy } from "./strategy.ts";

/**
 * Shortens in place, without a model: results before the cut become one line, then the largest results after it are
 * cut.
 */
export const shake: Strategy = async (task) => {
  const { sizes } = task;
  const path = measurePath(task.path, task.tokens);
  const most = sizes.goal - sizes.fixed;
  for (const keep of [sizes.keep, sizes.keep / 2]) {
    const edits = shaken(path, findCut(path, keep).at);
    if (lengthAfter(path, edits) <= most) return ok({ kind: "edits", edits: edits.map(({ edit }) => edit) });
  }
  const before = shaken(path, findCut(path, sizes.keep / 2).at);
  const over = lengthAfter(path, before) - most;
  const gone = new Set(before.map(({ edit }) => edit.targetId));
  const others = path.filter(({ entry }) => !gone.has(entry.id));
  const kept = cutLargest(others, over);
  if (kept === undefined)
    return fail("failed", "what fills the window is no output of a tool, so shaking it out does not help");
  return ok({ kind: "edits", edits: [...before, ...kept].map(({ edit }) => edit) });
};

/** An edit and the tokens it wins. */
export interface Gain {
  edit: MessageEdit;
  won: number;
}

const lengthAfter = (path: readonly MeasuredEntry[], edits: readonly Gain[]): number =>
  totalTokens(path) - sumOf(edits, ({ won }) => won);

const shaken = (path: readonly MeasuredEntry[], before: number): Gain[] =>
  path
    .slice(0, before)
    .filter((item) => resultOf(item) && item.tokens > 2 * stubTokens)
    .map((item) => ({ edit: stub(item), won: item.tokens - stubTokens }));

/** Cuts the largest results to head and tail until enough is won; undefined if that is impossible. */
export function cutLargest(path: readonly MeasuredEntry[], over: number): Gain[] | undefined {
  const results = path.filter((item) => resultOf(item) && item.tokens > 2 * stubTokens);
  const ordered = results.toSorted((one, other) => other.tokens - one.tokens);
  const gains: Gain[] = [];
  let left = over;
  for (const item of ordered) {
    if (left <= 0) break;
    const keep = Math.max(stubTokens, item.tokens - left);
    gains.push({ edit: shortened(item, keep), won: item.tokens - keep });
    left -= item.tokens - keep;
  }
  return left <= 0 ? gains : undefined;
}
