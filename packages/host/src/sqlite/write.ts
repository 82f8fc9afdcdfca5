import { fail, ok } from "@pith/kit";
import { type AnyTarget, findAny } from "../fs/target.ts";
import { writeTo } from "../fs/write.ts";
import { tableShape } from "./read.ts";
import { makeSql, quoted, runSql, type SqlAnswer } from "./run.ts";

export type Cell = string | number | null;
export type RowChange =
  | { do: "insert"; values: Readonly<Record<string, Cell>> }
  | { do: "update"; key: string; values: Readonly<Record<string, Cell>> }
  | { do: "delete"; key: string };

/** Changes one row of a table; gives the number of rows that were changed, which may be none by then. */
export async function changeRow(
  at: string | AnyTarget,
  table: string,
  change: RowChange,
  signal: AbortSignal,
): SqlAnswer<number> {
  const shape = await tableShape(at, table, signal);
  if (!shape.ok) return shape;
  const { columns, key, keyColumns, rowid } = shape.value;
  const values = change.do === "delete" ? {} : change.values;
  const names = Object.keys(values);
  // As SQLite does it, whatever the case.
  const known = new Set(columns.map((name) => name.toLowerCase()));
  const unknown = names.filter((name) => !known.has(name.toLowerCase())).map((name) => `'${name}'`);
  if (unknown.length > 0)
    return fail("sql", `Unknown column ${unknown.join(", ")} in ${table}. Columns: ${columns.join(", ")}`);
  // A composite key is not replaced by the rowid: two ways to name a row would be one too many.
  const why = keyColumns > 1 ? "has a composite primary key" : rowid === "none" ? "has no rowid" : undefined;
  if (change.do !== "insert" && why) return fail("sql", `Rows of ${table} cannot be found by one key: it ${why}`);
  const params = [...names.map((name) => values[name] ?? null), ...(change.do === "insert" ? [] : [change.key])];
  const sql = statement(table, change, names, key ?? "rowid");
  const ran = await runSql(at, "write", [{ sql, params }], signal);
  return ran.ok ? ok(ran.value[0]?.changes ?? 0) : ran;
}

/** Makes a database out of statements: all of it is there at once, or nothing is. */
export async function makeDatabase(
  at: string | AnyTarget,
  script: string,
  signal: AbortSignal,
): SqlAnswer<{ bytes: number }> {
  // SQL can open other files; no word of that kind passes, wherever it stands.
  const word = /\b(?:attach|detach|vacuum|pragma|load_extension)\b/i.exec(script)?.[0];
  if (word) return fail("sql", `a new database is made without ${word.toUpperCase()}`);
  const target = typeof at === "string" ? findAny(at, 0) : ok(at);
  if (!target.ok) return fail("sql", target.message);
  if (target.value.is !== "missing") return fail("sql", "a file stands in the way");
  const made = await makeSql(script, signal);
  if (!made.ok) return made;
  const written = await writeTo(target.value, made.value);
  if (!written.ok) return fail("sql", written.message.replace(`${target.value.path}: `, ""));
  return ok({ bytes: made.value.length });
}

function statement(table: string, change: RowChange, names: readonly string[], key: string): string {
  const where = `WHERE ${key === "rowid" ? "rowid" : quoted(key)} = ?`;
  if (change.do === "delete") return `DELETE FROM ${quoted(table)} ${where}`;
  if (change.do === "update")
    return `UPDATE ${quoted(table)} SET ${names.map((name) => `${quoted(name)} = ?`).join(", ")} ${where}`;
  if (names.length === 0) return `INSERT INTO ${quoted(table)} DEFAULT VALUES`;
  return `INSERT INTO ${quoted(table)} (${names.map(quoted).join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
}
