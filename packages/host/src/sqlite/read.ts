import { closeSync, readSync } from "node:fs";
import { fail, ok, type Result } from "@pith/kit";
import { openFile } from "../fs/open.ts";
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
  /** Undefined when counting took too long. */
  rows: number | undefined;
}

/** Tables with their number of rows, at most `max`, and how many there are. */
export async function listTables(path: string, max: number, signal: AbortSignal): Promise<Result<{ tables: TableCount[]; total: number }, SqlFailure>> {
  const named = await runSql(
    path,
    "read",
    [{ sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name" }],
    signal,
  );
  if (!named.ok) return named;
  const names = (named.value[0]?.rows ?? []).map(([name]) => String(name));
  const shown = names.slice(0, max);
  const counted = await runSql(
    path,
    "read",
    shown.map((name) => ({ sql: `SELECT count(*) FROM ${quoted(name)}` })),
    signal,
  );
  if (!counted.ok && counted.kind === "aborted") return counted;
  const tables = shown.map((name, i) => ({ name, rows: counted.ok ? Number(counted.value[i]?.rows[0]?.[0]) : undefined }));
  return ok({ tables, total: names.length });
}

export interface TableShape {
  sql: string;
  columns: string[];
  /** The column that a row is found by: its single primary key, else the rowid. Undefined: there is none. */
  key: string | undefined;
  /** Columns of its primary key. */
  keyColumns: number;
}

export async function tableShape(path: string, table: string, signal: AbortSignal): Promise<Result<TableShape, SqlFailure>> {
  const steps = [
    { sql: "SELECT sql FROM sqlite_master WHERE name = ? AND type IN ('table', 'view')", params: [table] },
    { sql: "SELECT name, pk FROM pragma_table_info(?)", params: [table] },
    { sql: "SELECT wr FROM pragma_table_list WHERE name = ? AND schema = 'main'", params: [table] },
  ];
  const got = await runSql(path, "read", steps, signal);
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
  });
}

/** Reads with one SELECT: anything else cannot stand where it is put, so the engine refuses it. At most `max` rows, one more to tell that there are more. */
export async function select(
  path: string,
  query: string,
  params: (string | number)[],
  max: number,
  signal: AbortSignal,
): Promise<Result<SqlRows & { more: boolean }, SqlFailure>> {
  const got = await runSql(path, "read", [{ sql: `SELECT * FROM (${query}\n) LIMIT ${max + 1}`, params }], signal);
  if (!got.ok) return got;
  const [all] = got.value;
  if (!all) return fail("sql", "nothing came back");
  return ok({ ...all, rows: all.rows.slice(0, max), more: all.rows.length > max });
}
