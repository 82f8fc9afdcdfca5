// Code that differs between Bun and Node, so that the SDK runs on both.
import { chmodSync, statSync, writeFileSync } from "node:fs";

export type SqlValue = string | number | null;

/** A database in a file. Prepared statements are cached. */
export interface Database {
  run(sql: string, ...values: SqlValue[]): void;
  all<T>(sql: string, ...values: SqlValue[]): T[];
  /** Key of the row inserted last. */
  added(): number;
  /** Runs work in a transaction that takes the write lock at once. */
  transact<T>(work: () => T): T;
  close(): void;
}

/** Opens or creates a database; throws on errors. */
export async function openDatabase(file: string): Promise<Database> {
  if (file !== ":memory:") keepPrivate(file);
  const raw = await openRaw(file);
  raw.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  const kept = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    let statement = kept.get(sql);
    if (!statement) {
      statement = raw.prepare(sql);
      kept.set(sql, statement);
    }
    return statement;
  };
  const database: Database = {
    run: (sql, ...values) => void prepared(sql).run(...values),
    all: <T>(sql: string, ...values: SqlValue[]) => prepared(sql).all(...values) as T[],
    added: () => Number((prepared("SELECT last_insert_rowid() AS id").all() as { id: number }[])[0]?.id),
    transact: (work) => {
      raw.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        raw.exec("COMMIT");
        return result;
      } catch (error) {
        raw.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => {
      // An open statement would keep the file open, and the data in its side file.
      for (const statement of kept.values()) statement.finalize?.();
      raw.close();
    },
  };
  return database;
}

/**
 * Creates the file with mode 0600, which the files beside it inherit; SQLite would use 0644. Works by path, since
 * closing another handle would drop this process's locks.
 */
function keepPrivate(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) writeFileSync(file, "", { flag: "a", mode: 0o600 });
  else if ((stat.mode & 0o077) !== 0) chmodSync(file, 0o600);
}

interface Statement {
  finalize?(): void;
  run(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}
interface Raw {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

async function openRaw(file: string): Promise<Raw> {
  if (typeof Bun === "undefined") {
    const { DatabaseSync } = await import("node:sqlite");
    return new DatabaseSync(file) as unknown as Raw;
  }
  const { Database: BunDatabase } = await import("bun:sqlite");
  return new BunDatabase(file, { create: true }) as unknown as Raw;
}
