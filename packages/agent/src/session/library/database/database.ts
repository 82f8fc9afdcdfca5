import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "@pith/kit";
import { type Database, openDatabase } from "../../../platform.ts";
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

const version = 3;
const tables = `
  CREATE TABLE IF NOT EXISTS session (
    key INTEGER PRIMARY KEY, file TEXT UNIQUE NOT NULL, id TEXT, cwd TEXT, name TEXT, first TEXT, messages INTEGER,
    created INTEGER, size INTEGER, mtime INTEGER, indexed INTEGER NOT NULL DEFAULT 0, last TEXT);
  CREATE TABLE IF NOT EXISTS entry (
    key INTEGER PRIMARY KEY, session INTEGER NOT NULL, id TEXT, offset INTEGER, length INTEGER, time INTEGER,
    role TEXT, model TEXT, tools TEXT);
  CREATE INDEX IF NOT EXISTS entry_session ON entry (session);
  CREATE INDEX IF NOT EXISTS entry_open ON entry (session) WHERE model IS NULL;
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    text, files, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2");
  PRAGMA user_version = ${version};`;

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

/** True for errors that mean a damaged database, not a busy or full one. */
export const isDatabaseDamage = (error: unknown): boolean =>
  error instanceof Error &&
  (error.message === otherVersion || /sqlite/i.test(error.name + String(codeOf(error) ?? ""))) &&
  !/locked|busy|full|readonly|unable to open|disk i\/o/i.test(error.message);
const otherVersion = "another version";

export function dropSessionDatabase(file: string): void {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
}

async function opened(file: string): Promise<Database> {
  const database = await openDatabase(file);
  const [pragma] = database.all<{ user_version: number }>("PRAGMA user_version");
  if (pragma?.user_version === version) return database;
  if (pragma && pragma.user_version !== 0) {
    database.close();
    throw new Error(otherVersion);
  }
  for (const sql of tables.split(/;\s*\n/)) database.run(sql.replace(/;\s*$/, ""));
  return database;
}

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

/** Lists all sessions, pinned ones first, then the newest; only files that changed since the last list are read. */
export function listSessions(database: Database, sessions: string): ListedSession[] {
  const known = new Map(
    database
      .all<SessionRow>("SELECT key, file, id, cwd, name, first, messages, created, size, mtime FROM session")
      .map((row) => [row.file, row]),
  );
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
  const { header, name, first, messages } = peek;
  const created = Date.parse(header.timestamp) || 0;
  return {
    key: 0,
    file,
    id: header.id,
    cwd: header.cwd ?? "",
    name: name ?? null,
    first: first ?? null,
    messages: messages ?? null,
    created,
    size,
    mtime,
  };
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
function remember(database: Database, changed: readonly SessionRow[], gone: readonly SessionRow[]): void {
  try {
    database.transact(() => {
      for (const row of changed) saveRow(database, row);
      for (const { key } of gone) forgetSession(database, key);
    });
  } catch {}
}

function saveRow(database: Database, row: SessionRow): void {
  database.run(
    `INSERT INTO session (file, id, cwd, name, first, messages, created, size, mtime) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (file) DO UPDATE SET id = excluded.id, cwd = excluded.cwd, name = excluded.name,
       first = excluded.first, messages = excluded.messages, created = excluded.created, size = excluded.size,
       mtime = excluded.mtime`,
    row.file,
    row.id,
    row.cwd,
    row.name,
    row.first,
    row.messages,
    row.created,
    row.size,
    row.mtime,
  );
}

/** Removes a session from the word index, and with `row` from the list. */
export function forgetSession(database: Database, key: number, what: "row" | "words" = "row"): void {
  database.run("DELETE FROM words WHERE rowid IN (SELECT key FROM entry WHERE session = ?)", key);
  database.run("DELETE FROM entry WHERE session = ?", key);
  if (what === "row") database.run("DELETE FROM session WHERE key = ?", key);
}
