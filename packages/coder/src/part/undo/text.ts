import type { TurnChanges as TurnChanged } from "@pith/agent";
import { fill, idStart, plural, shorten } from "@pith/kit";
import { align, type Block, hunksOf, statOf, unified } from "../../edit/text/diff.ts";
import { Lines } from "../../edit/text/line.ts";
import { decode } from "../../snapshot/decode.ts";
import type { UndoTurn } from "./store/log.ts";
import type { Step } from "./store/plan.ts";
import type { Moved, Undo } from "./store/undo.ts";
import undoneProse from "./undone.md" with { type: "text" };

/** What happened to one path in a turn. */
export interface Changed {
  path: string;
  what: "added" | "modified" | "deleted";
  added: number;
  removed: number;
  /** A unified diff; nothing for what is no text. */
  patch: string;
}

/** The differences of a turn, path by path; directories are left out, what is in them speaks for them. */
export const changesOf = (undo: Undo, turn: Pick<UndoTurn, "calls">): Changed[] =>
  filesOf(undo, turn).map((step) => changeOf(undo, step));

/** Files of a turn as they were compared, by what they were and are. */
export type Compared = Map<string, TurnChanged["files"][number]>;

/**
 * The same for an event. The end of the turn waits for it: beyond a handful, what cannot be compared in this many
 * milliseconds is only counted. What was compared before is not compared again.
 */
export function briefly(
  undo: Undo,
  turn: UndoTurn,
  compared: Compared = new Map(),
  patienceMs = 100,
): TurnChanged | undefined {
  const until = performance.now() + patienceMs;
  const files: TurnChanged["files"][number][] = [];
  const steps = filesOf(undo, turn);
  for (const step of steps) {
    const key = JSON.stringify(step);
    let known = compared.get(key);
    if (!known && files.length >= handful && performance.now() >= until) break;
    if (!known) {
      const { path, what: change, added, removed } = changeOf(undo, step);
      known = { path, change, added, removed };
      compared.set(key, known);
    }
    files.push(known);
  }
  const more = steps.length - files.length;
  return steps.length === 0 ? undefined : { turn: turn.id, files, ...(more > 0 ? { more } : {}) };
}

const handful = 8;

const filesOf = (undo: Undo, turn: Pick<UndoTurn, "calls">): Step[] =>
  undo
    .changes(turn)
    .filter(({ before, after }) => [before?.is, after?.is].some((is) => is === "file" || is === "link"));

function changeOf(undo: Undo, { spot, before, after }: Step): Changed {
  const what = before === undefined ? "added" : after === undefined ? "deleted" : "modified";
  const [old, now] = [textOf(undo.content(before)), textOf(undo.content(after))];
  if (old === undefined || now === undefined) return { path: spot.path, what, added: 0, removed: 0, patch: "" };
  const { lines, blocks } = differ(old, now);
  const names = { from: before && spot.path, to: after && spot.path };
  return {
    path: spot.path,
    what,
    ...statOf(blocks),
    patch: blocks.length > 0 ? unified(lines[0], lines[1], blocks, names) : "",
  };
}

/** The hunks that `pith changes` numbers and `pith undo --hunk` takes back. */
export function hunksBetween(old: string, now: string): { lines: [Lines, Lines]; hunks: Block[][] } {
  const { lines, blocks } = differ(old, now);
  return { lines, hunks: hunksOf(blocks, 3) };
}

/** What a person reads of a turn that was taken back or put back; out of a session, also whose it was. */
export function movedText(way: "undo" | "redo", { turn, restored, left }: Moved, whose?: "named"): string {
  const verb = way === "undo" ? "Took back" : "Put back";
  const name = whose ? named(turn) : quoted(turn.asked);
  const head =
    restored.length > 0
      ? `${verb} ${plural(restored.length, "path")} of ${name}:`
      : `Nothing of ${name} could be ${way === "undo" ? "taken" : "put"} back.`;
  return [
    head,
    ...restored.map((path) => `  ${path}`),
    ...(left.length > 0 ? ["Left alone:", ...left.map(({ path, why }) => `  ${path}: ${why}`)] : []),
  ].join("\n");
}

/** What the model is told of it; nothing when nothing came of it. */
export function undoneNote(way: "undo" | "redo", { turn, restored }: Moved): string | undefined {
  if (restored.length === 0) return undefined;
  const shown = restored.slice(0, 20);
  const more = restored.length - shown.length;
  return fill(undoneProse, {
    verb: way === "undo" ? "took back" : "put back",
    asked: quoted(turn.asked),
    paths: [...shown, ...(more > 0 ? [`and ${plural(more, "more path")}`] : [])].join("\n"),
  }).trim();
}

/** A turn of another session, for who asks for the newest. */
export const othersText = (way: "undo" | "redo", turn: UndoTurn): string =>
  `The newest change here is another session's: ${named(turn)}. \`pith ${way}\` takes the newest, whoever made it.`;

const named = ({ asked, session }: UndoTurn): string => `${quoted(asked)} (session ${idStart(session)})`;

export const keptText = ({ asked }: UndoTurn, files?: readonly string[]): string =>
  files ? `Kept ${files.join(", ")} as ${quoted(asked)} left it.` : `Kept what ${quoted(asked)} changed.`;

/** `+N -N` of several files. */
export const totalOf = (changes: readonly Changed[]): { added: number; removed: number } => ({
  added: changes.reduce((sum, change) => sum + change.added, 0),
  removed: changes.reduce((sum, change) => sum + change.removed, 0),
});

/** One line per turn, newest first, numbered as `undo` and `changes` take them. */
export function turnsText(undo: Undo, turns: readonly UndoTurn[]): string[] {
  return turns.toReversed().map((turn, i) => {
    const changes = changesOf(undo, turn);
    const { added, removed } = totalOf(changes);
    const state = turn.state === "done" ? "" : ` (${turn.state})`;
    const time = new Date(turn.time).toISOString().slice(0, 16).replace("T", " ");
    const size = `+${added} -${removed}  ${plural(changes.length, "file")}`;
    return `${String(i + 1).padStart(3)}  ${time}  ${size}  ${quoted(turn.asked)}${state}`;
  });
}

const quoted = (text: string): string => JSON.stringify(shorten(text, 60));

function textOf(content: Buffer | undefined): string | undefined {
  if (!content) return "";
  const decoded = decode(content);
  return decoded.ok ? decoded.value.text : undefined;
}

function differ(old: string, now: string): { lines: [Lines, Lines]; blocks: Block[] } {
  const lines: [Lines, Lines] = [new Lines(old), new Lines(now)];
  return { lines, blocks: align(lines[0].wholes(1, lines[0].count), lines[1].wholes(1, lines[1].count)) };
}
