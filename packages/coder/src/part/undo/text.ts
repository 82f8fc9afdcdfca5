import type { TurnChanges } from "@pith/agent";
import type { Difference } from "@pith/host";
import { fill, idStart, plural, shorten, sumOf } from "@pith/kit";
import { align, type Block, countsOf, hunksOf, unified } from "../../edit/text/diff.ts";
import { Lines } from "../../edit/text/line.ts";
import { decode } from "../../snapshot/decode.ts";
import type { UndoTurn } from "./store/log.ts";
import { changedSince, type MoveResult, type Undo } from "./store/undo.ts";
import undoneProse from "./undone.md" with { type: "text" };

interface FileDiff {
  path: string;
  what: "added" | "modified" | "deleted";
  added: number;
  removed: number;
  /** A unified diff; empty for a file that is no text. */
  patch: string;
}

/** The diffs of the files that a turn changed; directories are left out. */
export const changesOf = (undo: Undo, turn: Pick<UndoTurn, "calls">): FileDiff[] =>
  filesOf(undo, turn).map((change) => diffOf(undo, change));

/** Files that were compared before, by their two states. */
export type FileDiffs = Map<string, TurnChanges["files"][number]>;

/** The changes of a turn for an event. Compares a few files, then as many as it can in `timeoutMs`; counts the rest. */
export function turnChanges(
  undo: Undo,
  turn: UndoTurn,
  compared: FileDiffs = new Map(),
  timeoutMs = 100,
): TurnChanges | undefined {
  const until = performance.now() + timeoutMs;
  const files: TurnChanges["files"][number][] = [];
  const changes = filesOf(undo, turn);
  for (const one of changes) {
    const key = JSON.stringify(one);
    let file = compared.get(key);
    if (!file && files.length >= alwaysCompared && performance.now() >= until) break;
    if (!file) {
      const { path, what: change, added, removed } = diffOf(undo, one);
      file = { path, change, added, removed };
      compared.set(key, file);
    }
    files.push(file);
  }
  const more = changes.length - files.length;
  return changes.length === 0 ? undefined : { turn: turn.id, files, ...(more > 0 ? { more } : {}) };
}

const alwaysCompared = 8;

const filesOf = (undo: Undo, turn: Pick<UndoTurn, "calls">): Difference[] =>
  undo
    .changes(turn)
    .filter(({ before, after }) => [before?.is, after?.is].some((is) => is === "file" || is === "link"));

function diffOf(undo: Undo, { path, before, after }: Difference): FileDiff {
  const what = before === undefined ? "added" : after === undefined ? "deleted" : "modified";
  const [old, now] = [textOf(undo.content(before)), textOf(undo.content(after))];
  if (old === undefined || now === undefined) return { path, what, added: 0, removed: 0, patch: "" };
  const { lines, blocks } = differ(old, now);
  const patch = blocks.length > 0 ? unified(...lines, blocks, { from: before && path, to: after && path }) : "";
  return { path, what, ...countsOf(blocks), patch };
}

/** The hunks that `pith changes` numbers and `pith undo --hunk` takes back. */
export function hunksBetween(old: string, now: string): { lines: [Lines, Lines]; hunks: Block[][] } {
  const { lines, blocks } = differ(old, now);
  return { lines, hunks: hunksOf(blocks, 3) };
}

/** The report of an undo or redo for people; with `whose`, it names the session of the turn. */
export function movedText(way: "undo" | "redo", { turn, restored, left }: MoveResult, whose?: "named"): string {
  const name = whose ? named(turn) : quoted(turn.asked);
  const verb = way === "undo" ? "Undid" : "Redid";
  const head =
    restored.length > 0
      ? `${verb} ${name} (${plural(restored.length, "file")}):`
      : `Nothing of ${name} was ${way === "undo" ? "undone" : "redone"}, and it stays as it is.`;
  const isChanged = left.some(({ why }) => why === changedSince);
  return [
    head,
    ...restored.map((path) => `  ${path}`),
    ...(left.length > 0 ? ["Left alone:", ...left.map(({ path, why }) => `  ${path}: ${why}`)] : []),
    ...(isChanged ? [forceText(way, whose)] : []),
  ].join("\n");
}

/** Names the commands that replace what was changed since; what stood there comes back with a redo. */
function forceText(way: "undo" | "redo", whose: "named" | undefined): string {
  const command = whose ? `pith ${way} --force` : `/${way} --force`;
  const keeps = way === "redo" ? "" : `; ${whose ? "pith changes <n> --keep" : "/keep"} leaves it as it is`;
  const redo = whose ? "pith redo" : "/redo";
  return `${command} ${way}es it all the same, and ${redo} brings back what stood there${keeps}.`;
}

/** The report for the model; undefined when nothing was moved. */
export function undoneNote(way: "undo" | "redo", { turn, restored }: MoveResult): string | undefined {
  if (restored.length === 0) return undefined;
  const shown = restored.slice(0, 20);
  const more = restored.length - shown.length;
  return fill(undoneProse, {
    verb: way === "undo" ? "undid" : "redid",
    asked: quoted(turn.asked),
    paths: [...shown, ...(more > 0 ? [`and ${plural(more, "more path")}`] : [])].join("\n"),
  }).trim();
}

/** Tells that the newest turn belongs to another session. */
export const othersText = (way: "undo" | "redo", turn: UndoTurn): string =>
  `The newest change here is another session's: ${named(turn)}. \`pith ${way}\` takes the newest, whoever made it.`;

const named = ({ asked, session }: UndoTurn): string => `${quoted(asked)} (session ${idStart(session)})`;

export const keptText = ({ asked }: UndoTurn, files?: readonly string[]): string =>
  files ? `Kept ${files.join(", ")} as ${quoted(asked)} left it.` : `Kept what ${quoted(asked)} changed.`;

/** `+N -N` of several files. */
export const totalOf = (changes: readonly FileDiff[]): { added: number; removed: number } => ({
  added: sumOf(changes, ({ added }) => added),
  removed: sumOf(changes, ({ removed }) => removed),
});

/** A line per turn, newest first, numbered for `pith undo` and `pith changes`. */
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
  return { lines, blocks: align(lines[0].wholes(), lines[1].wholes()) };
}
