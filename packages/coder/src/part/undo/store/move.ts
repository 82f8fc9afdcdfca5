import { join, relative } from "node:path";
import { type Difference, type Restore, sameEntry, type TreeEntry } from "@pith/host";
import { isInside, slashed } from "@pith/kit";
import type { CallRow, UndoTurn } from "./log.ts";

// Paths in the project are relative to it; paths outside of it are absolute.

interface MovePlan {
  restore: Restore[];
  /** Paths that something else has changed since. */
  changed: string[];
}

interface MoveSources {
  root: string;
  diff(before: string, after: string): Difference[];
  list(id: string): readonly Difference[];
  current(path: string): TreeEntry | undefined;
  wanted(path: string): boolean;
}

/** Says what becomes of paths that something else has changed since: they are left alone, or moved all the same. */
export type MoveForce = "careful" | "forced";

/** Works out what to restore to take the calls back, the last first, or to make them again. */
export function planMove(
  sources: MoveSources,
  calls: readonly CallRow[],
  way: "back" | "forth",
  force: MoveForce = "careful",
): MovePlan {
  const states = new Map<string, State>();
  for (const call of way === "back" ? calls.toReversed() : calls) {
    for (const { path, before, after } of changesBy(call, sources)) {
      if (!sources.wanted(path)) continue;
      let state = states.get(path);
      if (!state) {
        const now = sources.current(path);
        state = { path, now, start: now, end: undefined, stuck: false };
        states.set(path, state);
      }
      const [from, to] = way === "back" ? [after, before] : [before, after];
      // A path that already is as it should be was moved by an attempt that was cut short, or by a person.
      if (sameEntry(state.now, from) || isHalfMade(state.now, from, to)) state.now = to;
      else if (!sameEntry(state.now, to)) state.stuck = true;
      state.end = to;
    }
  }
  const all = [...states.values()];
  const forced = (state: State) => force === "forced" && state.stuck;
  const goal = (state: State) => (forced(state) ? state.end : state.now);
  return {
    restore: all
      .filter((state) => (!state.stuck || forced(state)) && !sameEntry(goal(state), state.start))
      .map((state) => ({ path: state.path, to: goal(state) }))
      .sort(byPath),
    changed: (force === "forced" ? [] : all)
      .filter((state) => state.stuck && !isMoved(state) && !isFolderOnly(state))
      .map(({ path }) => path),
  };
}

interface State {
  path: string;
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

/** The changes of a call by path, so that a directory comes before its entries. */
export function changesBy(
  call: CallRow,
  { diff, list, root }: Pick<MoveSources, "diff" | "list" | "root">,
): Difference[] {
  const old = call.before && call.after ? diff(call.before, call.after) : [];
  const all = call.changes ? list(call.changes) : old;
  const own = call.others ? all.filter(({ path }) => !call.others?.has(join(root, path))) : all;
  const listed = (call.apart ?? []).map(({ path, before, after }): Difference => {
    const name = isInside(root, path) ? slashed(relative(root, path)) : path;
    return { path: name, before: before ?? undefined, after: after ?? undefined };
  });
  return [...own, ...listed].sort(byPath);
}

export const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : 1);

/** True when nothing but the mode of a directory was changed, which is not worth a message. */
const isFolderOnly = (state: State): boolean =>
  state.start?.is === "dir" && (state.now === undefined || state.now.is === "dir");

interface Past {
  changes(turn: UndoTurn): Difference[];
  current(path: string): TreeEntry | undefined;
}

/** The turn to move next. Passes over a turn whose changes all cancel out, are taken back already or were accepted. */
export function nextOf(
  undo: Past,
  way: "undo" | "redo",
  turns: readonly UndoTurn[],
  isWanted: (path: string) => boolean,
): UndoTurn | undefined {
  if (way === "undo")
    return turns.findLast((turn) => turn.state === "done" && openPaths(undo, turn, isWanted).length > 0);
  const away = turns
    .flatMap((turn) => [turn, ...turn.hunks])
    .filter((turn) =>
      turn.of === undefined ? turn.state === "undone" || turn.undos.length > 0 : turn.state === "done",
    )
    .filter((turn) => turn.of !== undefined || turn.away.size === 0 || [...turn.away].some(isWanted));
  return away.sort((a, b) => lastMove(b) - lastMove(a))[0];
}

/** Paths that a turn changed and that were neither taken back nor accepted. */
export function openPaths(undo: Past, turn: UndoTurn, isWanted: (path: string) => boolean): string[] {
  const stays = acceptedIn(turn);
  return undo
    .changes(turn)
    .filter(({ path }) => isWanted(path) && !stays(path))
    .filter(({ path, after }) => !turn.away.has(path) || (turn.resumed && sameEntry(undo.current(path), after)))
    .map(({ path }) => path);
}

/** Tells paths that stay when the turn is taken back: accepted files, and the directories they are in. */
export function acceptedIn({ kept }: UndoTurn): (path: string) => boolean {
  return (path) => kept.has(path) || kept.values().some((file) => file.startsWith(`${path}/`));
}

const lastMove = ({ undos, moved }: UndoTurn): number => undos.at(-1)?.at ?? moved;
