import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { spacedWords } from "@pith/agent";
import { type Clock, type Database, openDatabase } from "@pith/kit";

export interface Prompt {
  prompt: string;
  cwd?: string;
  time: number;
}

/** Typed prompts of all sessions. */
export interface History {
  /** Adds a prompt, unless it repeats the last one. Written a moment later, so that typing never waits. */
  add(prompt: string, cwd?: string): void;
  /** Returns the newest prompts, the newest first. */
  recent(limit: number): Prompt[];
  /** Finds prompts with words that begin like all of these, the newest first. */
  search(query: string, limit: number): Prompt[];
  /** Writes what waits. Must be called before the process ends. */
  close(): void;
}

const tables = [
  "CREATE TABLE IF NOT EXISTS history (id INTEGER PRIMARY KEY, prompt TEXT NOT NULL, cwd TEXT, time INTEGER NOT NULL)",
  "CREATE VIRTUAL TABLE IF NOT EXISTS history_fts USING fts5(prompt, content='history', content_rowid='id', tokenize=\"unicode61 remove_diacritics 2\")",
];

/** Path of the history in a home. */
export const historyFile = (home: string): string => join(home, "history.db");

/** Open histories by file, shared so that all users see new prompts at once. */
const opened = new Map<string, { history: Promise<History>; users: number }>();

/**
 * Opens a history. Users of one file share it until all have closed it. When the file cannot be opened, the history is
 * in memory.
 */
export function openHistory(file: string, clock: Clock): Promise<History> {
  const path = resolve(file);
  const shared = opened.get(path) ?? {
    history: openTables(path).then((database) => new DatabaseHistory(database, clock, () => leave(path))),
    users: 0,
  };
  shared.users++;
  opened.set(path, shared);
  return shared.history;
}

/** Takes a user off a history; returns true when none is left. */
function leave(path: string): boolean {
  const shared = opened.get(path);
  if (shared && --shared.users > 0) return false;
  opened.delete(path);
  return true;
}

class DatabaseHistory implements History {
  readonly #database: Database;
  readonly #clock: Clock;
  #waiting: Required<Prompt>[] = [];
  #last: string | undefined;
  readonly #leave: () => boolean;

  constructor(database: Database, clock: Clock, leave: () => boolean) {
    this.#database = database;
    this.#clock = clock;
    this.#leave = leave;
    this.#last = this.#read("SELECT prompt, cwd, time FROM history ORDER BY id DESC LIMIT ?", 1)[0]?.prompt;
  }

  add(prompt: string, cwd = ""): void {
    if (prompt.trim() === "" || prompt === this.#last) return;
    this.#last = prompt;
    if (this.#waiting.push({ prompt, cwd, time: this.#clock.now() }) === 1) setImmediate(() => this.#flush());
  }

  recent(limit: number): Prompt[] {
    this.#flush();
    return this.#read("SELECT prompt, cwd, time FROM history ORDER BY id DESC LIMIT ?", limit);
  }

  search(query: string, limit: number): Prompt[] {
    this.#flush();
    const words = query.split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
    if (words.length === 0) return [];
    const match = words.map((word) => `"${spacedWords(word)}" *`).join(" AND ");
    return this.#read(
      `SELECT h.prompt, h.cwd, h.time FROM history_fts JOIN history h ON h.id = history_fts.rowid
       WHERE history_fts MATCH ? ORDER BY h.id DESC LIMIT ?`,
      match,
      limit,
    );
  }

  close(): void {
    this.#flush();
    if (this.#leave()) this.#database.close();
  }

  #flush(): void {
    const rows = this.#waiting.splice(0);
    if (rows.length === 0) return;
    try {
      this.#database.transact(() => {
        for (const { prompt, cwd, time } of rows) {
          this.#database.run("INSERT INTO history (prompt, cwd, time) VALUES (?, ?, ?)", prompt, cwd, time);
          this.#database.run(
            "INSERT INTO history_fts (rowid, prompt) VALUES (?, ?)",
            this.#database.added(),
            spacedWords(prompt),
          );
        }
      });
    } catch {
      // Not written, for example on a full disk; the session has the prompt.
    }
  }

  #read(sql: string, ...values: (string | number)[]): Prompt[] {
    const rows = this.#database.all<Required<Prompt>>(sql, ...values);
    return rows.map(({ prompt, cwd, time }) => ({ prompt, cwd: cwd || undefined, time }));
  }
}

async function openTables(file: string): Promise<Database> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    return await withTables(file);
  } catch {
    return withTables(":memory:");
  }
}

const withTables = (file: string): Promise<Database> =>
  openDatabase(file, { version: 1, tables, journal: "write ahead" });
