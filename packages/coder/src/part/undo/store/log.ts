import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { TreeEntry } from "@pith/host";
import { codeOf } from "@pith/kit";

/** A file outside of the imprints, before and after a call. */
export interface Apart {
  path: string;
  before: TreeEntry | null;
  after: TreeEntry | null;
}

/** What one call did to the work tree. */
export interface CallRow {
  row: "call";
  turn: string;
  session: string;
  /** What the person asked for in this turn. */
  asked: string;
  /** The entry after which the turn began, so that one can go back to before a message. */
  at?: string;
  time: number;
  /** When it began. */
  began?: number;
  tool: string;
  before?: string;
  after?: string;
  apart?: Apart[];
  /** Not in the file: paths that a tool of another session wrote meanwhile. */
  others?: ReadonlySet<string>;
}

/** What was taken back of a turn, or put back again. */
export interface MoveRow {
  row: "undo" | "redo";
  turn: string;
  time: number;
  paths: string[];
  /** The turn as a whole, and not only some of its files. */
  whole: boolean;
  /** Of a redo: what could not be put back, and is not tried again unless it is named. */
  left?: string[];
}

/** The person is content with a turn, or with some of its files: they are no longer offered. */
export interface KeepRow {
  row: "keep";
  turn: string;
  time: number;
  paths?: string[];
}

export type LogRow = CallRow | MoveRow | KeepRow;

/** What was done and taken back in a project, as lines of a file that only grows. */
export class UndoLog {
  readonly #file: string;
  /** Bytes, when we wrote last. */
  #size: number | undefined;
  /** What was read, and until where: it only grows, and grows long. */
  #read: { file: string; end: number; rows: LogRow[] } = { file: "", end: 0, rows: [] };

  constructor(file: string) {
    this.#file = file;
  }

  add(row: LogRow): void {
    // Whoever wrote last may not have come to the end of a line.
    const line = `${this.#now() === this.#size ? "" : "\n"}${JSON.stringify(row)}\n`;
    const append = () => appendFileSync(this.#file, line, { mode: 0o600 });
    try {
      append();
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      append();
    }
    this.#size = this.#now();
  }

  /** Whether somebody else may have written since we did. */
  isForeign = (): boolean => this.#size !== undefined && this.#now() !== this.#size;

  #now(): number | undefined {
    return statSync(this.#file, { throwIfNoEntry: false })?.size;
  }

  /** A torn last line counts as not written. */
  rows(): readonly LogRow[] {
    let fd: number;
    try {
      fd = openSync(this.#file, "r");
    } catch {
      return [];
    }
    try {
      const { ino, birthtimeMs, size } = fstatSync(fd);
      const file = `${ino} ${birthtimeMs}`;
      // Another one, when what is too old was left out of it.
      if (file !== this.#read.file || size < this.#read.end) this.#read = { file, end: 0, rows: [] };
      const { end, rows } = this.#read;
      const bytes = Buffer.allocUnsafe(size - end);
      const fresh = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, end));
      const whole = fresh.lastIndexOf(10) + 1;
      for (const line of fresh.toString("utf8", 0, whole).split("\n")) rows.push(...rowOf(line));
      this.#read.end = end + whole;
      return rows;
    } catch {
      return [];
    } finally {
      closeSync(fd);
    }
  }

  replace(rows: readonly LogRow[]): void {
    writeFileSync(`${this.#file}.new`, rows.map((row) => `${JSON.stringify(row)}\n`).join(""), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

const kinds = new Set(["call", "undo", "redo", "keep"]);

function rowOf(line: string): LogRow[] {
  try {
    const row = JSON.parse(line) as LogRow;
    return typeof row.turn === "string" && kinds.has(row.row) ? [row] : [];
  } catch {
    return [];
  }
}

/** A turn that changed something, with what became of it. */
export interface UndoTurn {
  id: string;
  session: string;
  asked: string;
  at: string | undefined;
  time: number;
  calls: CallRow[];
  state: "done" | "undone" | "kept";
  /** Where in the log it was last moved; what was undone last is put back first. */
  moved: number;
  /** Paths that were taken back and not put back again. */
  away: ReadonlySet<string>;
  /** The same undo by undo, the newest last: each is put back by itself. */
  undos: { at: number; paths: ReadonlySet<string> }[];
  /** It went on after something of it was taken back, and may have made that again. */
  resumed: boolean;
  /** Files of it that are not taken back any more. */
  kept: ReadonlySet<string>;
  /** Hunks of it that were taken back by themselves. Each is a turn of its own, done as long as its hunk is away. */
  hunks: UndoTurn[];
  /** Of a hunk: the turn it is of. */
  of?: string;
}

/** The name of a hunk's turn tells whose it is. */
export const hunkTurn = (turn: string): string => `${turn}.${crypto.randomUUID().slice(0, 8)}`;

/** The turns of the log, oldest first; or one of them. */
export function turnsOf(rows: readonly LogRow[], only?: string): UndoTurn[] {
  const turns = new Map<string, UndoTurn>();
  for (const [i, row] of rows.entries()) {
    if (!isOf(row, only)) continue;
    const turn = turns.get(row.turn);
    if (row.row === "call") {
      const call = { ...row, others: othersOf(row, rows) };
      if (turn) turn.resumed ||= turn.away.size > 0;
      if (turn) turn.calls.push(call);
      else turns.set(row.turn, turnFrom(call, i));
    } else if (turn && row.row === "keep") keptOf(turn, row);
    else if (turn && row.row !== "keep") movedOf(turn, row, i);
  }
  return wholeTurns(turns);
}

function keptOf(turn: UndoTurn, { paths }: KeepRow): void {
  if (paths) turn.kept = turn.kept.union(new Set(paths));
  else turn.state = "kept";
}

function movedOf(turn: UndoTurn, { row, paths, whole, left = [] }: MoveRow, at: number): void {
  const moved = new Set(paths);
  const over = new Set([...paths, ...left]);
  const rest = turn.undos.map((undo) => ({ at: undo.at, paths: undo.paths.difference(over) }));
  turn.undos = [...rest, ...(row === "undo" ? [{ at, paths: moved }] : [])].filter(({ paths }) => paths.size > 0);
  turn.away = row === "undo" ? turn.away.union(moved) : turn.away.difference(moved);
  if (whole) Object.assign(turn, { state: row === "undo" ? "undone" : "done", moved: at });
}

/** Without the hunks, which go to their turns. */
function wholeTurns(turns: ReadonlyMap<string, UndoTurn>): UndoTurn[] {
  for (const turn of turns.values()) {
    const whole = turns.get(turn.id.replace(/\.[0-9a-f]{8}$/, ""));
    if (!whole || whole === turn) continue;
    turn.of = whole.id;
    whole.hunks.push(turn);
  }
  return [...turns.values()].filter((turn) => turn.of === undefined);
}

/** Hunks go with their turn. */
const isOf = ({ turn }: LogRow, only: string | undefined): boolean =>
  only === undefined || turn === only || turn.startsWith(`${only}.`);

const turnFrom = (call: CallRow, moved: number): UndoTurn => ({
  id: call.turn,
  session: call.session,
  asked: call.asked,
  at: call.at,
  time: call.time,
  calls: [call],
  state: "done",
  moved,
  away: none,
  undos: [],
  resumed: false,
  kept: none,
  hunks: [],
});

/**
 * A command may touch anything, so what it did is what changed while it ran; but what another session's tool says it
 * wrote then is not its.
 */
function othersOf(
  { session, before, began = Number.POSITIVE_INFINITY, time }: CallRow,
  rows: readonly LogRow[],
): ReadonlySet<string> {
  if (before === undefined) return none;
  const written = rows.flatMap((row) =>
    row.row === "call" &&
    row.session !== session &&
    row.before === undefined &&
    row.time >= began &&
    (row.began ?? row.time) <= time
      ? (row.apart ?? [])
      : [],
  );
  return written.length > 0 ? new Set(written.map(({ path }) => path)) : none;
}

const none: ReadonlySet<string> = new Set();

/** What is kept for a call beside the imprints. */
export const contentsOf = (call: CallRow): string[] =>
  (call.apart ?? []).flatMap(({ before, after }) =>
    [before, after].flatMap((entry) => (entry && entry.is !== "dir" ? [entry.id] : [])),
  );
