import { type Outcome, refusal } from "@pith/agent";
import { type Cell, changeRow, makeDatabase, parseJson5, type RowChange } from "@pith/host";
import { fail, formatBytes, messageOf, ok, type Result, showPath } from "@pith/kit";
import { statOf } from "../../files/path.ts";
import type { Inside } from "../container.ts";
import type { WriteParts } from "./parts.ts";

/** Inserts, changes or deletes one row. */
export async function writeRow(
  parts: WriteParts,
  { path, rest, given }: Inside,
  content: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const place = parsePlace(rest);
  if (!place.ok) return refusal(place.message);
  if (!statOf(path)) return refusal(`SQLite database '${given}' not found`);
  const { table, key } = place.value;
  const change = changeOf(key, content);
  if (!change.ok) return refusal(change.message);
  const done = await changeRow(path, table, change.value, signal);
  if (!done.ok) return refusal(`${showPath(parts.cwd, path)}: ${done.message}`);
  return {
    kind: "page",
    data: { path: `${showPath(parts.cwd, path)}${rest}` },
    text: report(table, change.value, done.value),
    meta: { source: { path } },
  };
}

/** Statements that make a database, for a path where there is none; undefined for any other content. */
export async function makeFrom(
  parts: WriteParts,
  path: string,
  content: string,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  if (!/^\s*(?:--[^\n]*\n\s*)*create\s+(?:virtual\s+)?table\b/i.test(content)) return undefined;
  const name = showPath(parts.cwd, path);
  const made = await makeDatabase(path, content, signal);
  if (!made.ok) return refusal(`${name}: ${made.message}. Nothing was written.`);
  return {
    kind: "page",
    data: { path: name, bytes: made.value.bytes },
    text: `Made the database ${name} (${formatBytes(made.value.bytes)})`,
    meta: { source: { path } },
  };
}

function parsePlace(rest: string): Result<{ table: string; key: string | undefined }, "path"> {
  if (rest.includes("?")) return fail("path", "SQLite write paths do not support query parameters");
  const [, table = "", key] = /^:([^:]*)(?::(.*))?$/s.exec(rest) ?? [];
  if (table === "") return fail("path", "SQLite write path must target a table");
  if (key?.trim() === "") return fail("path", "SQLite row writes require a non-empty row key");
  return ok({ table, key });
}

function changeOf(key: string | undefined, content: string): Result<RowChange, "content"> {
  if (content.trim() === "")
    return key === undefined
      ? fail("content", "A new row needs a JSON5 object; {} takes the defaults")
      : ok({ do: "delete", key });
  let value: unknown;
  try {
    value = parseJson5(content);
  } catch (thrown) {
    return fail("content", `The content is not valid JSON5: ${messageOf(thrown)}`);
  }
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return fail("content", "The content must be a JSON5 object: {column: value}");
  const cells = Object.entries(value);
  for (const [column, cell] of cells) {
    const problem = cellProblem(cell);
    if (problem) return fail("content", `The value of '${column}' ${problem}`);
  }
  if (key !== undefined && cells.length === 0) return fail("content", "An update needs at least one column");
  const values: Record<string, Cell> = Object.fromEntries(
    cells.map(([column, cell]) => [column, typeof cell === "boolean" ? Number(cell) : cell]),
  );
  return ok(key === undefined ? { do: "insert", values } : { do: "update", key, values });
}

/** What would not arrive in the table as it was written. */
function cellProblem(cell: unknown): string | undefined {
  if (cell !== null && typeof cell === "object") return "is not a scalar; write lists and objects as JSON text";
  if (typeof cell !== "number") return undefined;
  if (!Number.isFinite(cell)) return "is not a number that a table can hold";
  const inexact = Number.isInteger(cell) && !Number.isSafeInteger(cell) && Math.abs(cell) < 2 ** 64;
  return inexact
    ? "has more digits than a number keeps exactly; write it as text in quotes, the column makes it a number"
    : undefined;
}

function report(table: string, change: RowChange, rows: number): string {
  if (change.do === "insert") return `Inserted row into ${table}`;
  const done = change.do === "update" ? "updated" : "deleted";
  return rows > 0
    ? `${done === "updated" ? "Updated" : "Deleted"} row '${change.key}' in ${table}`
    : `No row ${done}: there is no row '${change.key}' in ${table}`;
}
