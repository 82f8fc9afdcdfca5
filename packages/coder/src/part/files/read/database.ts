import { type Outcome, refusal } from "@pith/agent";
import type { SqlRows } from "@pith/host";
import { ok, type Result, shorten } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import { cutHead } from "../../../tools/cut.ts";
import type { ReadOptions } from "./options.ts";
import { maxRows, parseQuery, type Query } from "./query.ts";
import type { ContainerTarget } from "./target.ts";

const maxTables = 500;
const samples = 5;

/** Tables, one table, one row, or the answer to a query. The engine has the file open read-only. */
export async function showDatabase(
  { files, room }: ReadOptions,
  { at, name, rest }: ContainerTarget,
  signal: AbortSignal,
): Promise<Outcome> {
  const query = parseQuery(rest);
  if (!query.ok) return refusal(query.message);
  const shown = await show({ files, path: at.real, signal }, query.value);
  if (!shown.ok) return refusal(`${name}: ${shown.message}`);
  const { text, truncation } = cutHead(shown.value.text, room().bytes);
  return {
    ...shown.value,
    text,
    meta: { source: { path: at.path }, ...shown.value.meta, ...(truncation && { truncation }) },
  } as Outcome;
}

type Shown = Promise<Result<Outcome, string>>;

/** One database, and who wants to see it. */
interface Looking {
  files: Files;
  path: string;
  signal: AbortSignal;
}

function show(looking: Looking, query: Query): Shown {
  switch (query.is) {
    case "tables":
      return showTables(looking);
    case "schema":
      return showSchema(looking, query.table);
    case "row":
      return showRow(looking, query);
    case "rows":
      return showRows(looking, query);
    case "sql":
      return showSql(looking, query.sql);
  }
}

async function showTables({ files, path, signal }: Looking): Shown {
  const listed = await files.tables(path, maxTables, signal);
  if (!listed.ok) return listed;
  const { tables, total } = listed.value;
  const rows = tables.map(({ name, is, rows }) => [name, is === "view" ? "view" : (rows?.toString() ?? "?")]);
  return ok({
    kind: "table",
    data: { columns: ["table", "rows"], rows },
    text:
      rows.length === 0
        ? "(no tables)"
        : rows.map(([name, count]) => `${name} (${count === "view" ? count : `${count} rows`})`).join("\n"),
    meta: { ...(tables.length < total && { limits: { headLimit: tables.length } }) },
  });
}

async function showSchema({ files, path, signal }: Looking, table: string): Shown {
  const shape = await files.shape(path, table, signal);
  if (!shape.ok) return shape;
  const sample = await files.select(path, `SELECT * FROM ${quoted(table)}`, [], samples, signal);
  if (!sample.ok) return sample;
  const more = sample.value.more ? `\n\n[First ${samples} rows; page with ${table}?limit=20&offset=${samples}]` : "";
  return ok(tableOf(sample.value, { before: `${shape.value.sql}\n\n`, after: more }));
}

async function showRow({ files, path, signal }: Looking, { table, key }: Query & { is: "row" }): Shown {
  const shape = await files.shape(path, table, signal);
  if (!shape.ok) return shape;
  if (shape.value.key === undefined)
    return { ok: false, kind: "key", message: `${table} has neither a single primary key nor a rowid; use ?where=` };
  const column = shape.value.key === "rowid" ? "rowid" : quoted(shape.value.key);
  const answer = await files.select(path, `SELECT * FROM ${quoted(table)} WHERE ${column} = ?`, [key], 1, signal);
  if (!answer.ok) return answer;
  const [row] = answer.value.rows;
  if (!row) return ok({ kind: "prose", data: {}, text: `No row '${key}' in ${table}` });
  return ok({
    kind: "table",
    data: plain(answer.value),
    text: answer.value.columns.map((name, i) => `${name}: ${cell(row[i] ?? null)}`).join("\n"),
  });
}

async function showRows(
  { files, path, signal }: Looking,
  { table, limit, offset, order, where }: Query & { is: "rows" },
): Shown {
  const shape = await files.shape(path, table, signal);
  if (!shape.ok) return shape;
  if (order && !shape.value.columns.includes(order.column))
    return {
      ok: false,
      kind: "order",
      message: `no column '${order.column}' to order by. Columns: ${shape.value.columns.join(", ")}`,
    };
  const sql = [
    `SELECT * FROM ${quoted(table)}`,
    ...(where === undefined ? [] : [`WHERE (${where}\n)`]),
    ...(order ? [`ORDER BY ${quoted(order.column)} ${order.way}`] : []),
    `LIMIT ${limit + 1} OFFSET ${offset}`,
  ].join(" ");
  const answer = await files.select(path, sql, [], limit, signal);
  if (!answer.ok) return answer;
  const after = answer.value.more ? `\n\n[More rows: offset=${offset + limit}]` : "";
  return ok(tableOf(answer.value, { after }));
}

async function showSql({ files, path, signal }: Looking, sql: string): Shown {
  const answer = await files.select(path, sql, [], maxRows, signal);
  if (!answer.ok) return answer;
  return ok(tableOf(answer.value, { after: answer.value.more ? `\n\n[Only the first ${maxRows} rows]` : "" }));
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function tableOf(rows: SqlRows, { before = "", after = "" }: { before?: string; after?: string }): Outcome<"table"> {
  return { kind: "table", data: plain(rows), text: `${before}${draw(plain(rows))}${after}` };
}

const plain = ({ columns, rows }: SqlRows): { columns: string[]; rows: string[][] } => ({
  columns,
  rows: rows.map((row) => row.map(cell)),
});
const cell = (value: string | number | null): string => (value === null ? "NULL" : String(value));

const maxWidth = 120;
const maxColumn = 40;

/** Columns beside each other, none wider than 40, all together no wider than 120. */
function draw({ columns, rows }: { columns: string[]; rows: string[][] }): string {
  const flat = [columns, ...rows].map((row) => row.map((text) => text.replace(/\s*\n\s*/g, "⏎")));
  const widths = columns.map((_, i) => Math.min(maxColumn, Math.max(...flat.map((row) => (row[i] ?? "").length))));
  let [fit, used] = [0, 0];
  while (fit < widths.length && used + (widths[fit] ?? 0) + (fit > 0 ? 3 : 0) <= maxWidth)
    used += (widths[fit++] ?? 0) + (fit > 1 ? 3 : 0);
  const shown = Math.max(1, fit);
  const line = (row: readonly string[]) =>
    row
      .slice(0, shown)
      .map((text, i) => clip(text, widths[i] ?? 0))
      .join(" | ")
      .trimEnd();
  const [head = [], ...body] = flat;
  const hidden = columns.length - shown;
  const rule = widths
    .slice(0, shown)
    .map((width) => "-".repeat(width))
    .join("-+-");
  return [
    line(head),
    rule,
    ...body.map(line),
    ...(rows.length === 0 ? ["(no rows)"] : []),
    ...(hidden > 0 ? [`… ${hidden} more columns: ${columns.slice(shown).join(", ")}`] : []),
  ].join("\n");
}

const clip = (text: string, width: number): string => shorten(text, width).padEnd(width);
