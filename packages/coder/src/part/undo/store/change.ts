import { join, relative } from "node:path";
import { type Difference, type Restore, sameEntry, type TreeEntry } from "@pith/host";
import { isInside } from "@pith/kit";
import type { CallRow } from "./log.ts";

/** A path that a call changed: relative to the project, or absolute when outside. */
export interface ChangedPath {
  path: string;
  where: "project" | "outside";
}

interface MovePlan {
  restore: (Restore & ChangedPath)[];
  /** Paths that something else has changed since. */
  changed: string[];
}

interface MoveSources {
  root: string;
  diff(before: string, after: string): Difference[];
  current(spot: ChangedPath): TreeEntry | undefined;
  wanted(path: string): boolean;
}

/** Works out what to restore to take the calls back, the last first, or to make them again. */
export function planMove(sources: MoveSources, calls: readonly CallRow[], way: "back" | "forth"): MovePlan {
  const states = new Map<string, State>();
  for (const call of way === "back" ? calls.toReversed() : calls) {
    for (const { spot, before, after } of changesBy(call, sources)) {
      if (!sources.wanted(spot.path)) continue;
      let state = states.get(spot.path);
      if (!state) {
        const now = sources.current(spot);
        state = { spot, now, start: now, end: undefined, stuck: false };
        states.set(spot.path, state);
      }
      const [from, to] = way === "back" ? [after, before] : [before, after];
      // A path that already is as it should be was moved by an attempt that was cut short, or by a person.
      if (sameEntry(state.now, from) || isHalfMade(state.now, from, to)) state.now = to;
      else if (!sameEntry(state.now, to)) state.stuck = true;
      state.end = to;
    }
  }
  const all = [...states.values()];
  return {
    restore: all
      .filter((state) => !state.stuck && !sameEntry(state.now, state.start))
      .map(({ spot, now }) => ({ ...spot, to: now }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    changed: all.filter((state) => state.stuck && !isMoved(state) && !isFolderOnly(state)).map(({ spot }) => spot.path),
  };
}

interface State {
  spot: ChangedPath;
  /** As found on disk. */
  start: TreeEntry | undefined;
  /** After the calls that were moved so far. */
  now: TreeEntry | undefined;
  /** After all calls, if none gets stuck. */
  end: TreeEntry | undefined;
  /** True when something else has changed the path. */
  stuck: boolean;
}

/** True when the path is on disk as the move should leave it. */
const isMoved = ({ start, end }: State): boolean => sameEntry(start, end);

/** True for a directory that an interrupted move has made, and not yet given its mode. */
const isHalfMade = (now: TreeEntry | undefined, from: TreeEntry | undefined, to: TreeEntry | undefined): boolean =>
  !from && to?.is === "dir" && now?.is === "dir" && now.mode === (to.mode | 0o700);

export interface PathChange {
  spot: ChangedPath;
  before: TreeEntry | undefined;
  after: TreeEntry | undefined;
}

/** The changes of a call by path, so that a directory comes before its entries. */
export function changesBy(call: CallRow, { diff, root }: Pick<MoveSources, "diff" | "root">): PathChange[] {
  const all = call.before && call.after ? diff(call.before, call.after) : [];
  const own = call.others ? all.filter(({ path }) => !call.others?.has(join(root, path))) : all;
  const inside = own.map(({ path, ...sides }): PathChange => ({ spot: { path, where: "project" }, ...sides }));
  const listed = (call.apart ?? []).map(({ path, before, after }): PathChange => {
    const where = isInside(root, path) ? "project" : "outside";
    const spot = { path: where === "project" ? relative(root, path) : path, where } as const;
    return { spot, before: before ?? undefined, after: after ?? undefined };
  });
  return [...inside, ...listed].sort((a, b) => (a.spot.path < b.spot.path ? -1 : 1));
}

/** True when nothing but the mode of a directory was changed, which is not worth a message. */
const isFolderOnly = (state: State): boolean =>
  state.start?.is === "dir" && (state.now === undefined || state.now.is === "dir");
