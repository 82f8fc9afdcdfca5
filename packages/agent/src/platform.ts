// What differs between Bun and Node stands here, so that the SDK runs on both.
import { chmodSync, statSync, writeFileSync } from "node:fs";

export type SqlValue = string | number | null;

/** A small database in a file. Statements are prepared once and kept. */
export interface Database {
  run(sql: string, ...values: SqlValue[]): void;
  all<T>(sql: string, ...values: SqlValue[]): T[];
  /** The key of the row that was added last. */
  added(): number;
  /** All or nothing; the right to write is taken at once. */
  transact<T>(work: () => T): T;
  close(): void;
}

/** Opens or creates. Throws what the system or the database says. */
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
      // With a statement left open the file would stay open, and what was written in its side file.
      for (const statement of kept.values()) statement.finalize?.();
      raw.close();
    },
  };
  return database;
}

/**
 * The database itself would ask for 0644; the files beside it take their mode from it. By its path: to open and close
 * it would take away the locks of another connection in this process.
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
