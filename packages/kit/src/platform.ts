import { chmodSync, statSync, writeFileSync } from "node:fs";

// The differences of the runtimes. Bun's own hasher is there at once, node:crypto takes three milliseconds to load, and
// both hashing and zlib stand on the start path; on Node the modules are loaded at the first use.
interface Hasher {
  update(data: string | Uint8Array): Hasher;
  digest(form: "hex"): string;
}

export const hasher = (algorithm: "sha1" | "sha256"): Hasher =>
  typeof Bun === "undefined"
    ? process.getBuiltinModule("node:crypto").createHash(algorithm)
    : new Bun.CryptoHasher(algorithm);

/** On Node: a package, loaded where it is first used and without a wait, for what Bun has itself. */
export const requirePackage = <T>(name: string): T =>
  process.getBuiltinModule("node:module").createRequire(import.meta.url)(name) as T;

/**
 * On Node: what a package reads out of a text. Each has errors of its own; as with Bun, bad text is a SyntaxError here,
 * and what is nested too deeply a RangeError.
 */
export function parseWith<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    const { message } = error as Error;
    throw /call stack/.test(message) ? new RangeError(message) : new SyntaxError(message.split("\n", 1)[0]);
  }
}

export const zlib = (): typeof import("node:zlib") => process.getBuiltinModule("node:zlib");

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

export interface DatabaseOptions {
  /** Version of the tables. */
  version: number;
  /** Statements that are run at each opening, so that they make only what is missing. */
  tables: readonly string[];
  /** Tables of an older version are written on, or are as foreign as those of a newer one. */
  older?: "kept" | "refused";
  /** With "write ahead", removed rows live on for a while in the file beside it. */
  journal: "write ahead" | "roll back";
}

/** Opens or creates a database. Throws for one of another version (code EVERSION), and when it cannot be used. */
export async function openDatabase(file: string, options: DatabaseOptions): Promise<Database> {
  if (file !== ":memory:") keepPrivate(file);
  const raw = await openRaw(file);
  raw.exec("PRAGMA busy_timeout = 5000");
  if (options.journal === "write ahead") raw.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  const database = databaseOn(raw);
  const { version, tables, older } = options;
  const found = database.all<{ user_version: number }>("PRAGMA user_version")[0]?.user_version ?? 0;
  if (found > version || (older === "refused" && found !== 0 && found !== version)) {
    database.close();
    const message = `a newer pith wrote it (version ${found}; this one knows up to ${version})`;
    throw Object.assign(new Error(message), { code: "EVERSION" });
  }
  for (const statement of tables) database.run(statement);
  if (found !== version) database.run(`PRAGMA user_version = ${version}`);
  return database;
}

function databaseOn(raw: Raw): Database {
  const kept = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    let statement = kept.get(sql);
    if (!statement) {
      statement = raw.prepare(sql);
      kept.set(sql, statement);
    }
    return statement;
  };
  return {
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
