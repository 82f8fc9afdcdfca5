import { closeSync, readSync } from "node:fs";
import { fail, ok, type Result } from "@pith/kit";
import { openFile } from "../fs/open.ts";
import type { AnyTarget } from "../fs/target.ts";
import { quoted, runSql, type SqlFailure, type SqlRows } from "./run.ts";

/** Endings of files that may be databases; `isDatabase` tells whether one is. */
export const databaseEnding = /\.(?:sqlite3?|db3?)$/i;

export function isDatabase(path: string): boolean {
  const opened = openFile(path);
  if (!opened.ok) return false;
  try {
    const head = Buffer.alloc(16);
    return readSync(opened.value.fd, head, 0, 16, 0) === 16 && head.toString("latin1") === "SQLite format 3\0";
  } finally {
    closeSync(opened.value.fd);
  }
}

export interface TableCount {
  name: string;
  is: "table" | "view";
  /**
   * Undefined when counting took too long, or a damaged file does not let itself be counted. Views are not counted:
   * that may cost anything.
   */
  rows: number | undefined;
}

/** Tables and views with their number of rows, at most `max`, and how many there are. */
export async function listTables(
  path: string,
  max: number,
  signal: AbortSignal,
): Promise<Result<{ tables: TableCount[]; total: number }, SqlFailure>> {
  const names =
    "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name";
  const named = await runSql(path, "read", [{ sql: names }], signal);
  if (!named.ok) return named;
  const all = (named.value[0]?.rows ?? []).map(([name, type]) => ({
    name: String(name),
    is: type === "view" ? ("view" as const) : ("table" as const),
  }));
  const shown = all.slice(0, max);
  const counts = shown.map(({ name, is }) => ({
    sql: is === "view" ? "SELECT NULL" : `SELECT count(*) FROM ${quoted(name)}`,
    optional: true as const,
  }));
  const counted = await runSql(path, "read", counts, signal);
  if (!counted.ok && counted.kind === "aborted") return counted;
  const tables = shown.map((table, i) => ({ ...table, rows: counted.ok ? countOf(counted.value[i]) : undefined }));
  return ok({ tables, total: all.length });
}

const countOf = (answer: SqlRows | undefined): number | undefined => {
  const count = answer?.rows[0]?.[0];
  return typeof count === "number" ? count : undefined;
};

export interface TableShape {
  sql: string;
  columns: string[];
  /** The column that a row is found by: its single primary key, else the rowid. Undefined: there is none. */
  key: string | undefined;
  /** Columns of its primary key. */
  keyColumns: number;
  /** Views have none, and tables that were made without. */
  rowid: "rowid" | "none";
}

export async function tableShape(
  at: string | AnyTarget,
  table: string,
  signal: AbortSignal,
): Promise<Result<TableShape, SqlFailure>> {
  const steps = [
    {
      sql: "SELECT sql FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
      params: [table],
    },
    // Hidden columns are 1; generated ones, which can be read, are 2 and 3.
    { sql: "SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1", params: [table] },
    {
      sql: "SELECT wr OR type = 'view' FROM pragma_table_list WHERE name = ? COLLATE NOCASE AND schema = 'main'",
      params: [table],
    },
  ];
  const got = await runSql(at, "read", steps, signal);
  if (!got.ok) return got;
  const [made, info, kind] = got.value;
  if (!made?.rows[0]) return fail("sql", `no such table: ${table}`);
  const keys = (info?.rows ?? []).filter(([, pk]) => Number(pk) > 0).map(([name]) => String(name));
  const without = Number(kind?.rows[0]?.[0]) === 1;
  return ok({
    sql: String(made.rows[0][0]),
    columns: (info?.rows ?? []).map(([name]) => String(name)),
    key: keys.length === 1 ? keys[0] : without ? undefined : "rowid",
    keyColumns: keys.length,
    rowid: without ? "none" : "rowid",
  });
}

/**
 * Reads with one SELECT: anything else cannot stand where it is put, so the engine refuses it. At most `max` rows, one
 * more to tell that there are more.
 */
export async function select(
  path: string,
  query: string,
  params: (string | number)[],
  max: number,
  signal: AbortSignal,
): Promise<Result<SqlRows & { more: boolean }, SqlFailure>> {
  // A parenthesis in it could end ours: so it must also be whole when it stands alone.
  const got = await runSql(
    path,
    "read",
    [
      { sql: `EXPLAIN ${query}`, params },
      { sql: `SELECT * FROM (${query}\n) LIMIT ${max + 1}`, params },
    ],
    signal,
  );
  if (!got.ok) return got;
  const [, all] = got.value;
  if (!all) return fail("sql", "nothing came back");
  return ok({ ...all, rows: all.rows.slice(0, max), more: all.rows.length > max });
}
