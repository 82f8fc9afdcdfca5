import { fail, ok } from "@pith/kit";
import { readPart } from "../fs/open.ts";
import type { AnyTarget } from "../fs/target.ts";
import { quoted, runSql, type SqlAnswer, type SqlRows } from "./run.ts";

export const isDatabase = (path: string): boolean => readPart(path, 0, 16)?.toString("latin1") === "SQLite format 3\0";

export interface TableCount {
  name: string;
  is: "table" | "view";
  /** Undefined where counting failed or took too long, and for views: to count them may cost anything. */
  rows: number | undefined;
}

/** Tables and views with their number of rows, at most `max`, and how many there are. */
export async function listTables(
  path: string,
  max: number,
  signal: AbortSignal,
): SqlAnswer<{ tables: TableCount[]; total: number }> {
  const names =
    "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name";
  const named = await runSql(path, "read", [{ sql: names }], signal);
  if (!named.ok) return named;
  const all = named.value[0]?.rows ?? [];
  const shown = all.slice(0, max);
  const counts = shown.map(([name, type]) => ({
    sql: type === "view" ? "SELECT NULL" : `SELECT count(*) FROM ${quoted(String(name))}`,
    optional: true as const,
  }));
  const counted = await runSql(path, "read", counts, signal);
  if (!counted.ok && counted.kind === "aborted") return counted;
  const tables = shown.map(([name, type], i): TableCount => {
    const count = counted.ok ? counted.value[i]?.rows[0]?.[0] : undefined;
    const rows = typeof count === "number" ? count : undefined;
    return { name: String(name), is: type === "view" ? "view" : "table", rows };
  });
  return ok({ tables, total: all.length });
}

export interface TableShape {
  sql: string;
  columns: string[];
  /** The column that a row is found by: its single primary key, else the rowid. Undefined: there is none. */
  key: string | undefined;
  /** The number of columns in its primary key. */
  keyColumns: number;
  /** "none" for views, and for tables that were made without one. */
  rowid: "rowid" | "none";
}

export async function tableShape(at: string | AnyTarget, table: string, signal: AbortSignal): SqlAnswer<TableShape> {
  const steps = [
    "SELECT sql FROM sqlite_master WHERE name = ? COLLATE NOCASE AND type IN ('table', 'view')",
    // Hidden columns are 1; generated ones, which can be read, are 2 and 3.
    "SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1",
    "SELECT wr OR type = 'view' FROM pragma_table_list WHERE name = ? COLLATE NOCASE AND schema = 'main'",
  ].map((sql) => ({ sql, params: [table] }));
  const got = await runSql(at, "read", steps, signal);
  if (!got.ok) return got;
  const [made, info, kind] = got.value;
  if (!made?.rows[0]) return fail("sql", `no such table: ${table}`);
  const columns = info?.rows ?? [];
  const keys = columns.filter(([, pk]) => Number(pk) > 0).map(([name]) => String(name));
  const without = Number(kind?.rows[0]?.[0]) === 1;
  return ok({
    sql: String(made.rows[0][0]),
    columns: columns.map(([name]) => String(name)),
    key: keys.length === 1 ? keys[0] : without ? undefined : "rowid",
    keyColumns: keys.length,
    rowid: without ? "none" : "rowid",
  });
}

/** At most `max` rows of one SELECT; the engine refuses anything else, which cannot stand where this is put. */
export async function select(
  path: string,
  query: string,
  params: (string | number)[],
  max: number,
  signal: AbortSignal,
): SqlAnswer<SqlRows & { more: boolean }> {
  // A parenthesis in it could end ours: so it must also be whole when it stands alone.
  const steps = [`EXPLAIN ${query}`, `SELECT * FROM (${query}\n) LIMIT ${max + 1}`].map((sql) => ({ sql, params }));
  const got = await runSql(path, "read", steps, signal);
  if (!got.ok) return got;
  const [, all] = got.value;
  if (!all) return fail("sql", "nothing came back");
  return ok({ ...all, rows: all.rows.slice(0, max), more: all.rows.length > max });
}
