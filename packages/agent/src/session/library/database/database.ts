import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, type Database, openDatabase, tryOr } from "@pith/kit";
import { allSessionFiles } from "../files.ts";
import { pinnedSessions } from "../pin.ts";
import { peekSession } from "./peek.ts";

/** A session in a list. */
export interface ListedSession {
  file: string;
  id: string;
  cwd: string;
  name: string | undefined;
  /** First prompt. */
  first: string | undefined;
  /** Number of messages, if there is an index. */
  messages: number | undefined;
  created: number;
  modified: number;
  size: number;
  pinned: boolean;
}

const tables = [
  `CREATE TABLE IF NOT EXISTS session (
    key INTEGER PRIMARY KEY, file TEXT UNIQUE NOT NULL, id TEXT, cwd TEXT, name TEXT, first TEXT, messages INTEGER,
    created INTEGER, size INTEGER, mtime INTEGER, indexed INTEGER NOT NULL DEFAULT 0, last TEXT)`,
  `CREATE TABLE IF NOT EXISTS entry (
    key INTEGER PRIMARY KEY, session INTEGER NOT NULL, id TEXT, offset INTEGER, length INTEGER, time INTEGER,
    role TEXT, model TEXT, tools TEXT)`,
  "CREATE INDEX IF NOT EXISTS entry_session ON entry (session)",
  "CREATE INDEX IF NOT EXISTS entry_open ON entry (session) WHERE model IS NULL",
  `CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    text, files, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`,
];

/** Path of the session database. */
export const sessionDatabaseFile = (home: string): string => join(home, "search.db");

/**
 * Opens the database of all sessions: their lists and all their words. It is disposable: a broken or older one is
 * rebuilt, and if none can be written it stays in memory.
 */
export async function openSessionDatabase(file: string): Promise<Database> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return await opened(file).catch((error) => {
      if (!isDatabaseDamage(error)) throw error;
      dropSessionDatabase(file);
      return opened(file);
    });
  } catch {
    return opened(":memory:");
  }
}

/** True for errors that mean a damaged database or one of another version, not a busy or full one. */
export const isDatabaseDamage = (error: unknown): boolean =>
  error instanceof Error &&
  /sqlite|EVERSION/i.test(error.name + codeOf(error)) &&
  !/locked|busy|full|readonly|unable to open|disk i\/o/i.test(error.message);

export function dropSessionDatabase(file: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
}

const opened = (file: string): Promise<Database> =>
  openDatabase(file, { version: 3, tables, older: "refused", journal: "write ahead" });

const columns = ["file", "id", "cwd", "name", "first", "messages", "created", "size", "mtime"] as const;
interface SessionRow {
  key: number;
  file: string;
  id: string;
  cwd: string;
  name: string | null;
  first: string | null;
  messages: number | null;
  created: number;
  size: number;
  mtime: number;
}
const saveRow = `INSERT INTO session (${columns.join()}) VALUES (${columns.map(() => "?").join()})
  ON CONFLICT (file) DO UPDATE SET ${columns
    .slice(1)
    .map((name) => `${name} = excluded.${name}`)
    .join()}`;

/** Lists all sessions, pinned ones first, then the newest; only files that changed since the last list are read. */
export function listSessions(database: Database, sessions: string): ListedSession[] {
  const rows = database.all<SessionRow>(`SELECT key, ${columns.join()} FROM session`);
  const known = new Map(rows.map((row) => [row.file, row]));
  const pins = pinnedSessions(sessions);
  const files = allSessionFiles(sessions);
  const changed: SessionRow[] = [];
  const list: ListedSession[] = [];
  for (const file of files) {
    const state = statSync(file, { throwIfNoEntry: false });
    if (!state?.isFile()) continue;
    const mtime = Math.floor(state.mtimeMs);
    let row = known.get(file);
    known.delete(file);
    if (row?.size !== state.size || row.mtime !== mtime) {
      row = peekRow(file, state.size, mtime);
      if (row) changed.push(row);
    }
    if (row) list.push(listed(row, pins));
  }
  const gone = [...known.values()].filter((row) => row.file.startsWith(`${sessions}/`));
  if (changed.length + gone.length > 0) remember(database, changed, gone);
  return list.sort((a, b) => (a.pinned === b.pinned ? b.modified - a.modified : a.pinned ? -1 : 1));
}

/** Ids of the sessions in the last list. */
export const sessionIds = (database: Database): string[] =>
  database.all<{ id: string }>("SELECT id FROM session").map(({ id }) => id);

function peekRow(file: string, size: number, mtime: number): SessionRow | undefined {
  const peek = peekSession(file);
  if (!peek) return undefined;
  const { header, name = null, first = null, messages = null } = peek;
  const created = Date.parse(header.timestamp) || 0;
  return { key: 0, file, id: header.id, cwd: header.cwd ?? "", name, first, messages, created, size, mtime };
}

// Thousands of these are made for a list, so there are no copies in between.
const listed = (row: SessionRow, pins: ReadonlySet<string>): ListedSession => ({
  file: row.file,
  id: row.id,
  cwd: row.cwd,
  name: row.name ?? undefined,
  first: row.first ?? undefined,
  messages: row.messages ?? undefined,
  created: row.created,
  modified: row.mtime,
  size: row.size,
  pinned: pins.has(row.id),
});

// A list that cannot be saved is made again next time.
const remember = (database: Database, changed: readonly SessionRow[], gone: readonly SessionRow[]): void =>
  tryOr(() =>
    database.transact(() => {
      for (const row of changed) database.run(saveRow, ...columns.map((name) => row[name]));
      for (const { key } of gone) forgetSession(database, key);
    }),
  );

/** Removes a session from the word index, and with `row` from the list. */
export function forgetSession(database: Database, key: number, what: "row" | "words" = "row"): void {
  database.run("DELETE FROM words WHERE rowid IN (SELECT key FROM entry WHERE session = ?)", key);
  database.run("DELETE FROM entry WHERE session = ?", key);
  if (what === "row") database.run("DELETE FROM session WHERE key = ?", key);
}
