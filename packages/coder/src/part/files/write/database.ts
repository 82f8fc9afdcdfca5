import { type Intent, type Outcome, refusal } from "@pith/agent";
import { type Cell, parseJson5, type RowChange } from "@pith/host";
import { fail, formatBytes, isRecord, messageOf, ok, type Result } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import type { Inside } from "../../../tools/container.ts";
import { pin } from "./pin.ts";

/** Inserts, changes or deletes one row. Beside the file SQLite may leave a journal, so undo has to look around. */
export function prepareRow(files: Files, { path, rest, name: given }: Inside, content: string): Intent | Outcome {
  const row = parseRow(rest);
  if (!row.ok) return refusal(`${row.message}. Nothing was written.`);
  const name = files.show(path);
  const pinned = pin(files, path);
  if (!pinned.ok) return refusal(pinned.message.replace(path, name));
  if (pinned.value.target.is === "missing") return refusal(`There is no database ${given}. Nothing was written.`);
  const { table, key } = row.value;
  const change = changeOf(key, content);
  if (!change.ok) return refusal(`${change.message}. Nothing was written.`);
  return {
    effect: "write",
    paths: [pinned.value.touch],
    async run({ signal }) {
      const done = await files.placeRow(pinned.value.target, table, change.value, signal);
      if (!done.ok) return refusal(`${name}: ${done.message}`);
      return {
        kind: "page",
        data: { path: `${name}${rest}` },
        text: report(table, change.value, done.value),
        meta: { source: { path } },
      };
    },
  };
}

/** True for statements that make a database, for a path where there is none. */
export const makesTables = (content: string): boolean =>
  /^\s*(?:--[^\n]*\n\s*)*create\s+(?:virtual\s+)?table\b/i.test(content);

export function prepareDatabase(files: Files, path: string, content: string): Intent | Outcome {
  const name = files.show(path);
  const pinned = pin(files, path);
  if (!pinned.ok) return refusal(`${pinned.message.replace(path, name)}. Nothing was written.`);
  return {
    effect: "write",
    paths: [pinned.value.touch],
    exact: true,
    async run({ signal }) {
      const made = await files.placeDatabase(pinned.value.target, content, signal);
      if (!made.ok) return refusal(`${name}: ${made.message}. Nothing was written.`);
      return {
        kind: "page",
        data: { path: name, bytes: made.value.bytes },
        text: `Made the database ${name} (${formatBytes(made.value.bytes)})`,
        meta: { source: { path } },
      };
    },
  };
}

function parseRow(rest: string): Result<{ table: string; key: string | undefined }, "path"> {
  if (rest.includes("?"))
    return fail("path", "A query can only be read; a row is written to x.db:table or x.db:table:key");
  const [, table = "", key] = /^:([^:]*)(?::(.*))?$/s.exec(rest) ?? [];
  if (table === "") return fail("path", "A row is written to a table: x.db:table");
  if (key?.trim() === "") return fail("path", "The key behind the table is empty");
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
  if (!isRecord(value)) return fail("content", "The content must be a JSON5 object: {column: value}");
  const cells = Object.entries(value).map(([column, cell]) => [
    column,
    typeof cell === "boolean" ? Number(cell) : cell,
  ]);
  for (const [column, cell] of cells) {
    const problem = cellProblem(cell);
    if (problem) return fail("content", `The value of '${column}' ${problem}`);
  }
  if (key !== undefined && cells.length === 0) return fail("content", "An update needs at least one column");
  // Not assigned one by one: a column may be called `__proto__`.
  const values: Record<string, Cell> = Object.fromEntries(cells);
  return ok(key === undefined ? { do: "insert", values } : { do: "update", key, values });
}

/** The problem with a value that would not arrive in the table as it was written. */
function cellProblem(cell: unknown): string | undefined {
  if (cell !== null && typeof cell === "object") return "is not a scalar; write lists and objects as JSON text";
  if (typeof cell !== "number") return undefined;
  if (!Number.isFinite(cell)) return "is not a number that a table can hold";
  if (!Number.isInteger(cell) || Number.isSafeInteger(cell) || Math.abs(cell) >= 2 ** 64) return undefined;
  return "has more digits than a number keeps exactly; write it as text in quotes, the column makes it a number";
}

function report(table: string, change: RowChange, rows: number): string {
  if (change.do === "insert") return `Inserted row into ${table}`;
  const row = `row '${change.key}' in ${table}`;
  if (change.do === "update") return rows > 0 ? `Updated ${row}` : `No row updated: there is no ${row}`;
  return rows > 0 ? `Deleted ${row}` : `No row deleted: there is no ${row}`;
}
