import { sameEntry, type TreeEntry } from "@pith/host";
import type { UndoTurn } from "./log.ts";
import type { Spot, Step } from "./plan.ts";

interface Past {
  changes(turn: UndoTurn): Step[];
  current(spot: Spot): TreeEntry | undefined;
}

/** A turn of which nothing stands any more (its changes cancel out, are away or kept) is passed over. */
export function nextOf(
  undo: Past,
  way: "undo" | "redo",
  turns: readonly UndoTurn[],
  isWanted: (path: string) => boolean,
): UndoTurn | undefined {
  if (way === "undo")
    return turns.findLast((turn) => turn.state === "done" && standing(undo, turn, isWanted).length > 0);
  const away = turns
    .flatMap((turn) => [turn, ...turn.hunks])
    .filter((turn) =>
      turn.of === undefined ? turn.state === "undone" || turn.undos.length > 0 : turn.state === "done",
    )
    .filter((turn) => turn.of !== undefined || turn.away.size === 0 || [...turn.away].some(isWanted));
  return away.sort((a, b) => lastMove(b) - lastMove(a))[0];
}

/** Paths of a turn that it can still be said of that the turn changed them, and that nobody has decided about. */
export function standing(undo: Past, turn: UndoTurn, isWanted: (path: string) => boolean): string[] {
  const stays = keeping(turn);
  return undo
    .changes(turn)
    .filter(({ spot: { path } }) => isWanted(path) && !stays(path))
    .filter(({ spot, after }) => !turn.away.has(spot.path) || (turn.resumed && sameEntry(undo.current(spot), after)))
    .map(({ spot }) => spot.path);
}

/** What stays when the turn is taken back: kept files, and the folders that they stand in. */
export function keeping({ kept }: UndoTurn): (path: string) => boolean {
  return (path) => kept.has(path) || kept.values().some((file) => file.startsWith(`${path}/`));
}

const lastMove = ({ undos, moved }: UndoTurn): number => undos.at(-1)?.at ?? moved;
