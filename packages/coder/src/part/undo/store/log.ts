import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { TreeEntry } from "@pith/host";
import { fileStat, parseJson, readRange, recordOf, tryOr, writeWhole } from "@pith/kit";

/** A file outside of the imprints, before and after a call. */
export interface OutsideChange {
  path: string;
  before: TreeEntry | null;
  after: TreeEntry | null;
}

/** Changes of the work tree by one call. */
export interface CallRow {
  row: "call";
  turn: string;
  session: string;
  /** The person's words that began the turn. */
  asked: string;
  /** The entry after which the turn began. */
  at?: string;
  time: number;
  began?: number;
  tool: string;
  /** The id of the list of what it changed in the project. */
  changes?: string;
  /** Two imprints of the project, in rows of older versions. */
  before?: string;
  after?: string;
  apart?: OutsideChange[];
  /** Paths that tools of other sessions wrote meanwhile; not in the file. */
  others?: ReadonlySet<string>;
}

/** An undo or redo of a turn. */
interface MoveRow {
  row: "undo" | "redo";
  turn: string;
  time: number;
  paths: string[];
  /** False when only some files of the turn were moved. */
  whole: boolean;
  /** Paths that a redo could not put back; they are tried again only by name. */
  left?: string[];
}

/** A turn, or files of it, that the person accepted: they are no longer offered. */
interface KeepRow {
  row: "keep";
  turn: string;
  time: number;
  paths?: string[];
}

type LogRow = CallRow | MoveRow | KeepRow;

/** The append-only file of a project's calls, undos, redos and keeps. */
export class UndoLog {
  readonly #file: string;
  /** Bytes in the file after our last write. */
  #size: number | undefined;
  /** The rows up to `end`, so that a long file is read only once. */
  #read: { file: string; end: number; rows: LogRow[] } = { file: "", end: 0, rows: [] };

  constructor(file: string) {
    this.#file = file;
  }

  add(row: LogRow): void {
    // Another process may have been killed in the middle of a line.
    const line = `${this.#now() === this.#size ? "" : "\n"}${JSON.stringify(row)}\n`;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    appendFileSync(this.#file, line, { mode: 0o600 });
    this.#size = this.#now();
  }

  /** True when another process may have written since we did. */
  isForeign = (): boolean => this.#size !== undefined && this.#now() !== this.#size;

  #now = (): number | undefined => fileStat(this.#file)?.size;

  /** All rows; a torn last line counts as not written. */
  rows(): readonly LogRow[] {
    const fd = tryOr(() => openSync(this.#file, "r"));
    if (fd === undefined) return [];
    try {
      const { ino, birthtimeMs, size } = fstatSync(fd);
      const file = `${ino} ${birthtimeMs}`;
      // A log that was pruned is another file.
      if (file !== this.#read.file || size < this.#read.end) this.#read = { file, end: 0, rows: [] };
      const { end, rows } = this.#read;
      const fresh = readRange(fd, end, size);
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
    writeWhole(this.#file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""), "synced");
  }
}

const kinds = new Set(["call", "undo", "redo", "keep"]);

function rowOf(line: string): LogRow[] {
  const row = recordOf(parseJson(line)) as unknown as LogRow;
  return typeof row.turn === "string" && kinds.has(row.row) ? [row] : [];
}

/** A turn that changed something, and its state. */
export interface UndoTurn {
  id: string;
  session: string;
  asked: string;
  at: string | undefined;
  time: number;
  calls: CallRow[];
  state: "done" | "undone" | "kept";
  /** Row of the log at which it was last moved: what was undone last is put back first. */
  moved: number;
  /** Paths that were taken back and not put back again. */
  away: ReadonlySet<string>;
  /** The undos of it, newest last: each is put back by itself. */
  undos: { at: number; paths: ReadonlySet<string> }[];
  /** True when it went on after an undo, and may have made the same changes again. */
  resumed: boolean;
  /** Files that the person accepted. */
  kept: ReadonlySet<string>;
  /** Hunks that were taken back alone; each is a turn of its own, `done` as long as its hunk is away. */
  hunks: UndoTurn[];
  /** The turn that a hunk belongs to. */
  of?: string;
}

/** An id for the undo of one hunk; it begins with the id of the hunk's turn. */
export const hunkTurn = (turn: string): string => `${turn}.${crypto.randomUUID().slice(0, 8)}`;

/** The turns of the log, oldest first; with `only`, that one and its hunks. */
export function turnsOf(rows: readonly LogRow[], only?: string): UndoTurn[] {
  const turns = new Map<string, UndoTurn>();
  for (const [i, row] of rows.entries()) {
    if (only !== undefined && row.turn !== only && !row.turn.startsWith(`${only}.`)) continue;
    const turn = turns.get(row.turn);
    if (row.row === "call") {
      const call = { ...row, others: othersOf(row, rows) };
      if (turn) turn.resumed ||= turn.away.size > 0;
      if (turn) turn.calls.push(call);
      else turns.set(row.turn, turnFrom(call, i));
    } else if (turn && row.row !== "keep") applyMove(turn, row, i);
    else if (turn && row.paths) turn.kept = turn.kept.union(new Set(row.paths));
    else if (turn) turn.state = "kept";
  }
  return withHunks(turns);
}

function applyMove(turn: UndoTurn, { row, paths, whole, left = [] }: MoveRow, at: number): void {
  const moved = new Set(paths);
  const over = new Set([...paths, ...left]);
  const rest = turn.undos.map((undo) => ({ at: undo.at, paths: undo.paths.difference(over) }));
  turn.undos = [...rest, ...(row === "undo" ? [{ at, paths: moved }] : [])].filter(({ paths }) => paths.size > 0);
  turn.away = row === "undo" ? turn.away.union(moved) : turn.away.difference(moved);
  if (whole) Object.assign(turn, { state: row === "undo" ? "undone" : "done", moved: at });
}

/** Puts the turns of hunks into the turns they belong to. */
function withHunks(turns: ReadonlyMap<string, UndoTurn>): UndoTurn[] {
  for (const turn of turns.values()) {
    const whole = turns.get(turn.id.replace(/\.[0-9a-f]{8}$/, ""));
    if (!whole || whole === turn) continue;
    turn.of = whole.id;
    whole.hunks.push(turn);
  }
  return [...turns.values()].filter((turn) => turn.of === undefined);
}

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

/** Paths that tools of other sessions wrote while a command ran: the command is credited with all other changes. */
function othersOf(
  { session, before, changes, began = Number.POSITIVE_INFINITY, time }: CallRow,
  rows: readonly LogRow[],
): ReadonlySet<string> {
  if (before === undefined && changes === undefined) return none;
  const written = rows.flatMap((row) =>
    row.row === "call" &&
    row.session !== session &&
    row.before === undefined &&
    row.changes === undefined &&
    row.time >= began &&
    (row.began ?? row.time) <= time
      ? (row.apart ?? [])
      : [],
  );
  return written.length > 0 ? new Set(written.map(({ path }) => path)) : none;
}

const none: ReadonlySet<string> = new Set();

/** Ids of the contents that a call keeps beside the imprints. */
export const contentIds = (call: CallRow): string[] =>
  (call.apart ?? []).flatMap(({ before, after }) =>
    [before, after].flatMap((entry) => (entry && entry.is !== "dir" ? [entry.id] : [])),
  );
