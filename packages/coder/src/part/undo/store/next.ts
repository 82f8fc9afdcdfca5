import { sameEntry, type TreeEntry } from "@pith/host";
import type { ChangedPath, PathChange } from "./change.ts";
import type { UndoTurn } from "./log.ts";

interface Past {
  changes(turn: UndoTurn): PathChange[];
  current(spot: ChangedPath): TreeEntry | undefined;
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
    .filter(({ spot: { path } }) => isWanted(path) && !stays(path))
    .filter(({ spot, after }) => !turn.away.has(spot.path) || (turn.resumed && sameEntry(undo.current(spot), after)))
    .map(({ spot }) => spot.path);
}

/** Tells paths that stay when the turn is taken back: accepted files, and the directories they are in. */
export function acceptedIn({ kept }: UndoTurn): (path: string) => boolean {
  return (path) => kept.has(path) || kept.values().some((file) => file.startsWith(`${path}/`));
}

const lastMove = ({ undos, moved }: UndoTurn): number => undos.at(-1)?.at ?? moved;
