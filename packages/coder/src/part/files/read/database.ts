import { type Outcome, refusal } from "@pith/agent";
import { quoted, type SqlRows } from "@pith/host";
import { fail, ok, type Result, shorten } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import { cutHead } from "../../../tools/cut.ts";
import { metaOf } from "../../../tools/meta.ts";
import type { ReadOptions } from "./options.ts";
import { maxRows, parseQuery, type Query } from "./query.ts";
import type { ContainerTarget } from "./target.ts";

const maxTables = 500;
const samples = 5;
/** In a database of no more tables, the columns and first rows of each are shown. */
const previews = { tables: 10, rows: 2 };

/** Shows tables, a table, a row, or the answer to a query. The engine has the file open read-only. */
export async function showDatabase(
  { files, room }: ReadOptions,
  { at, name, rest }: ContainerTarget,
  signal: AbortSignal,
): Promise<Outcome> {
  const query = parseQuery(rest);
  if (!query.ok) return refusal(query.message);
  const answer = await answerTo({ files, path: at.real, signal }, query.value);
  if (!answer.ok) return refusal(`${name}: ${answer.message}`);
  const { text, truncation } = cutHead(answer.value.text, room().bytes);
  return {
    ...answer.value,
    text,
    meta: metaOf({ source: { path: at.path }, ...answer.value.meta, truncation }),
  } as Outcome;
}

type Answered = Promise<Result<Outcome, string>>;

/** A database that is looked into. */
interface Looking {
  files: Files;
  path: string;
  signal: AbortSignal;
}

function answerTo(looking: Looking, query: Query): Answered {
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

async function showTables({ files, path, signal }: Looking): Answered {
  const listed = await files.tables(path, maxTables, signal);
  if (!listed.ok) return listed;
  const { tables, total } = listed.value;
  const rows = tables.map(({ name, is, rows }) => [name, is === "view" ? "view" : (rows?.toString() ?? "?")]);
  const lines: string[] = [];
  for (const [name = "", count] of rows) {
    const looked = rows.length <= previews.tables && count !== "view";
    const first = looked
      ? await files.select(path, `SELECT * FROM ${quoted(name)}`, [], previews.rows, signal)
      : undefined;
    lines.push(`${name} (${count === "view" ? count : `${count} rows`})`);
    if (first?.ok)
      lines.push(
        ...draw(plain(first.value))
          .split("\n")
          .map((line) => `  ${line}`),
      );
  }
  return ok({
    kind: "table",
    data: { columns: ["table", "rows"], rows },
    text: rows.length === 0 ? "(no tables)" : lines.join("\n"),
    meta: { limits: tables.length < total ? { headLimit: tables.length } : undefined },
  });
}

async function showSchema({ files, path, signal }: Looking, table: string): Answered {
  const shape = await files.shape(path, table, signal);
  if (!shape.ok) return shape;
  const sample = await files.select(path, `SELECT * FROM ${quoted(table)}`, [], samples, signal);
  if (!sample.ok) return sample;
  const more = sample.value.more ? `\n\n[First ${samples} rows; page with ${table}?limit=20&offset=${samples}]` : "";
  return ok(tableOf(sample.value, { before: `${shape.value.sql}\n\n`, after: more }));
}

async function showRow({ files, path, signal }: Looking, { table, key }: Query & { is: "row" }): Answered {
  const shape = await files.shape(path, table, signal);
  if (!shape.ok) return shape;
  if (shape.value.key === undefined)
    return fail("key", `${table} has neither a single primary key nor a rowid; use ?where=`);
  const column = shape.value.key === "rowid" ? "rowid" : quoted(shape.value.key);
  const answer = await files.select(path, `SELECT * FROM ${quoted(table)} WHERE ${column} = ?`, [key], 1, signal);
  if (!answer.ok) return answer;
  const [row] = answer.value.rows;
  if (!row) return ok({ kind: "prose", data: {}, text: `No row '${key}' in ${table}` });
  const text = answer.value.columns.map((name, i) => `${name}: ${cell(row[i] ?? null)}`).join("\n");
  return ok({ kind: "table", data: plain(answer.value), text });
}

async function showRows(
  { files, path, signal }: Looking,
  { table, limit, offset, order, where }: Query & { is: "rows" },
): Answered {
  const shape = await files.shape(path, table, signal);
  if (!shape.ok) return shape;
  const { columns } = shape.value;
  if (order && !columns.includes(order.column))
    return fail("order", `no column '${order.column}' to order by. Columns: ${columns.join(", ")}`);
  const filter = where === undefined ? "" : ` WHERE (${where}\n)`;
  const sorting = order ? ` ORDER BY ${quoted(order.column)} ${order.way}` : "";
  const sql = `SELECT * FROM ${quoted(table)}${filter}${sorting} LIMIT ${limit + 1} OFFSET ${offset}`;
  const answer = await files.select(path, sql, [], limit, signal);
  if (!answer.ok) return answer;
  const after = answer.value.more ? `\n\n[More rows: offset=${offset + limit}]` : "";
  return ok(tableOf(answer.value, { after }));
}

async function showSql({ files, path, signal }: Looking, sql: string): Answered {
  const answer = await files.select(path, sql, [], maxRows, signal);
  if (!answer.ok) return answer;
  return ok(tableOf(answer.value, { after: answer.value.more ? `\n\n[Only the first ${maxRows} rows]` : "" }));
}

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
  const [head = [], ...body] = [columns, ...rows].map((row) => row.map((text) => text.replace(/\s*\n\s*/g, "⏎")));
  const widths: number[] = [];
  let used = 0;
  for (const i of columns.keys()) {
    const width = Math.min(maxColumn, Math.max(...[head, ...body].map((row) => (row[i] ?? "").length)));
    used += width + (i > 0 ? 3 : 0);
    if (i > 0 && used > maxWidth) break;
    widths.push(width);
  }
  const line = (row: readonly string[]) =>
    widths
      .map((width, i) => shorten(row[i] ?? "", width).padEnd(width))
      .join(" | ")
      .trimEnd();
  const hidden = columns.slice(widths.length);
  return [
    line(head),
    widths.map((width) => "-".repeat(width)).join("-+-"),
    ...body.map(line),
    ...(rows.length === 0 ? ["(no rows)"] : []),
    ...(hidden.length > 0 ? [`… ${hidden.length} more columns: ${hidden.join(", ")}`] : []),
  ].join("\n");
}
