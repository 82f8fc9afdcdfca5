import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { type Difference, type Restore, sameEntry, type TreeEntry } from "@pith/host";
import { isInside } from "@pith/kit";
import type { CallRow } from "./log.ts";

/** A path as a plan sees it: in the project (relative) or apart from it (absolute). */
export interface Spot {
  path: string;
  where: "project" | "apart";
}

export interface MovePlan {
  restore: (Restore & Spot)[];
  /** Paths that something else has changed since. */
  changed: string[];
}

export interface MoveSources {
  root: string;
  diff(before: string, after: string): Difference[];
  current(spot: Spot): TreeEntry | undefined;
  wanted(path: string): boolean;
}

/** What calls did, one call after the other. Backwards for an undo, forwards for a redo. */
export function planMove(sources: MoveSources, calls: readonly CallRow[], way: "back" | "forth"): MovePlan {
  const spots = new Map<string, State>();
  for (const call of way === "back" ? calls.toReversed() : calls) {
    for (const { spot, before, after } of stepsOf(sources, call)) {
      if (!sources.wanted(spot.path)) continue;
      let state = spots.get(spot.path);
      if (!state) {
        const now = sources.current(spot);
        state = { spot, now, start: now, end: undefined, stuck: false };
        spots.set(spot.path, state);
      }
      const [from, to] = way === "back" ? [after, before] : [before, after];
      // Where it already stands as it should, an earlier attempt was cut short, or a person did it.
      if (sameEntry(state.now, from) || isHalfMade(state.now, from, to)) state.now = to;
      else if (!sameEntry(state.now, to)) state.stuck = true;
      state.end = to;
    }
  }
  const all = [...spots.values()];
  return {
    restore: all
      .filter((state) => !state.stuck && !sameEntry(state.now, state.start))
      .map(({ spot, now }) => ({ ...spot, to: now }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    changed: all.filter((state) => state.stuck && !isMoved(state) && !isFolderOnly(state)).map(({ spot }) => spot.path),
  };
}

/** What becomes of a path: as it was found, as the calls so far make it, and as all of them would. */
interface State {
  spot: Spot;
  start: TreeEntry | undefined;
  now: TreeEntry | undefined;
  end: TreeEntry | undefined;
  stuck: boolean;
}

/** It stands as it should, beyond all the calls that would have led there. */
const isMoved = ({ start, end }: State): boolean => sameEntry(start, end);

/** A directory that was being made again when something cut that short: it has no mode of anybody's yet. */
const isHalfMade = (now: TreeEntry | undefined, from: TreeEntry | undefined, to: TreeEntry | undefined): boolean =>
  !from && to?.is === "dir" && now?.is === "dir" && now.mode === (to.mode | 0o700);

export interface Step {
  spot: Spot;
  before: TreeEntry | undefined;
  after: TreeEntry | undefined;
}

/** Each path that a call changed, directories before what is in them. */
export function stepsOf(sources: Pick<MoveSources, "diff" | "root">, call: CallRow): Step[] {
  const all = call.before && call.after ? sources.diff(call.before, call.after) : [];
  const inside = call.others?.size ? all.filter(({ path }) => !call.others?.has(join(sources.root, path))) : all;
  const apart = (call.apart ?? []).map(({ path, before, after }): Step => {
    const spot: Spot = isInside(sources.root, path)
      ? { path: relative(sources.root, path), where: "project" }
      : { path, where: "apart" };
    return { spot, before: before ?? undefined, after: after ?? undefined };
  });
  return [
    ...inside.map(({ path, before, after }): Step => ({ spot: { path, where: "project" }, before, after })),
    ...apart,
  ].sort((a, b) => (a.spot.path < b.spot.path ? -1 : 1));
}

/** A directory whose mode somebody changed is no loss worth a word. */
const isFolderOnly = (state: State): boolean =>
  state.start?.is === "dir" && (state.now === undefined || state.now.is === "dir");

/** Bytes of a file; 0 where there is no file, also below what is no directory. */
export function sizeOf(path: string): number {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? stat.size : 0;
  } catch {
    return 0;
  }
}
