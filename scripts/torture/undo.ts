// What undo and redo said they did is what they did, and nothing else has changed.
import { treeOf } from "./check.ts";
import { Broken } from "./face.ts";
import type { Game } from "./game.ts";

type Tree = ReadonlyMap<string, string>;
type Turn = NonNullable<ReturnType<Game["promises"]["turns"]["get"]>>;

/** Does something that undoes or redoes; `act` gives what it said, or undefined when it was killed. */
export async function moving(game: Game, way: Way, act: () => Promise<string | undefined>): Promise<void> {
  const before = treeOf(game.world);
  const said = await act();
  const after = treeOf(game.world);
  const changed = differing(before, after);
  const { promises } = game;
  const token = /(?:Undid|Redid) "TASK (t\d+) /.exec(said ?? "")?.[1];
  const turn = promises.turns.get(token ?? "");
  if (turn && said !== undefined) {
    mustBeMoved(turn, way, { before, after, said });
    promises.settle(after);
    turn.isUndone = way === "undo";
    return;
  }
  // Cut short, or a turn that a fault has met: what becomes of its files is not known for sure.
  for (const path of changed) promises.may(path, after.get(path) ?? null);
  if (said === undefined) promises.turns.clear();
  else if (token === undefined && changed.length > 0)
    throw new Broken(`${way} says ${quote(said)} and changes ${changed}`);
  else if (token === undefined && way === "undo") mustBeEmpty(game, before, said);
}

type Way = "undo" | "redo";
const quote = (text: string): string => JSON.stringify(text.slice(0, 300));

/** Each file of the turn that stood as the turn (or its undo) left it is moved, and no other one. */
function mustBeMoved(turn: Turn, way: Way, { before, after, said }: { before: Tree; after: Tree; said: string }): void {
  const [from, to] = way === "undo" ? [turn.after, turn.before] : [turn.before, turn.after];
  const expected = new Map(before);
  for (const path of differing(turn.before, turn.after)) {
    const text = to.get(path);
    if (before.get(path) !== from.get(path)) continue;
    if (text === undefined) expected.delete(path);
    else expected.set(path, text);
  }
  const wrong = differing(expected, after).map((path) => `${path} as ${quote(after.get(path) ?? "no file")}`);
  if (wrong.length > 0) throw new Broken(`${way} says ${quote(said)} and leaves ${wrong.join(", ")}`);
}

/** Throws when a turn of this session stands whole: then there is something to undo. */
function mustBeEmpty(game: Game, tree: Tree, said: string): void {
  for (const [token, { session, before, after, isUndone }] of game.promises.turns) {
    const paths = differing(before, after);
    if (session === game.session && !isUndone && paths.every((path) => tree.get(path) === after.get(path)))
      throw new Broken(`${token} changed ${paths}, which stand as it left them, and undo says ${quote(said)}`);
  }
}

const differing = (one: Tree, other: Tree): string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));
