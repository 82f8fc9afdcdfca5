import { fail, ok, type Result, tryOr } from "@pith/kit";

/** The wanted part of a database. */
export type Query =
  | { is: "tables" }
  | { is: "schema"; table: string }
  | { is: "row"; table: string; key: string }
  | {
      is: "rows";
      table: string;
      limit: number;
      offset: number;
      order?: { column: string; way: "ASC" | "DESC" };
      where?: string;
    }
  | { is: "sql"; sql: string };

const usualLimit = 20;
export const maxRows = 500;

/** Reads the rest behind the name of a database: `:table`, `:table:key`, `:table?limit=5&where=…` or `?q=SELECT …`. */
export function parseQuery(rest: string): Result<Query, "query"> {
  const mark = rest.indexOf("?");
  const entry = mark === -1 ? rest : rest.slice(0, mark);
  const query = mark === -1 ? undefined : rest.slice(mark + 1);
  const [, table = "", key] = /^:([^:]*)(?::(.*))?$/s.exec(entry) ?? [];
  const params = readParams(query ?? "");
  if (!params.ok) return params;
  const { q, ...others } = params.value;
  if (q !== undefined) {
    const beside = table === "" ? Object.keys(others) : ["a table"];
    if (beside.length > 0) return fail("query", `q cannot be combined with ${beside.join(", ")}`);
    if (q.trim() === "") return fail("query", "q must not be empty");
    // The engine refuses the rest as well; it just says so in other words.
    const word = /^[\s(]*(\w+)/.exec(q)?.[1] ?? q;
    return /^(?:select|with|values)$/i.test(word)
      ? ok({ is: "sql", sql: q.trim().replace(/;$/, "") })
      : fail("query", `q must be a SELECT; ${word} is refused`);
  }
  if (query === undefined && table === "") return ok({ is: "tables" });
  if (query === undefined) return ok(key === undefined ? { is: "schema", table } : { is: "row", table, key });
  if (table === "") return fail("query", "A query needs a table (db:table?…) or q (db?q=SELECT …)");
  return key === undefined ? rowsQuery(table, others) : fail("query", "A row lookup takes no query parameters");
}

type Params = Partial<Record<"q" | "limit" | "offset" | "order" | "where", string>>;

/** Takes values as they are written, because SQL is full of signs; only those without spaces are percent-decoded. */
function readParams(query: string): Result<Params, "query"> {
  const params: Record<string, string> = {};
  const unknown: string[] = [];
  for (const part of query === "" ? [] : query.split(/&(?=\w+=)/)) {
    const [, name = "", value = ""] = /^(\w*)=?(.*)$/s.exec(part) ?? [];
    if (!["q", "limit", "offset", "order", "where"].includes(name)) unknown.push(name || part);
    params[name] = decoded(value);
  }
  return unknown.length > 0
    ? fail("query", `Unknown query parameter ${unknown.join(", ")}; there are limit, offset, order, where and q`)
    : ok(params);
}

function decoded(value: string): string {
  if (/\s/.test(value) || !/%[\da-f]{2}|\+/i.test(value)) return value;
  return tryOr(() => decodeURIComponent(value.replaceAll("+", " ")), value);
}

function rowsQuery(table: string, { limit, offset, order, where }: Params): Result<Query, "query"> {
  const [most, start] = [limit, offset].map((text) => (text === undefined ? undefined : Number(text)));
  if (most !== undefined && !(Number.isInteger(most) && most > 0))
    return fail("query", `limit must be a positive whole number, got ${limit}`);
  if (start !== undefined && !(Number.isInteger(start) && start >= 0))
    return fail("query", `offset must not be negative, got ${offset}`);
  const [, column, way] = /^(.*?)(?::(asc|desc))?$/i.exec(order ?? "") ?? [];
  const problem = where === undefined ? undefined : whereProblem(where);
  if (problem) return fail("query", problem);
  return ok({
    is: "rows",
    table,
    limit: Math.min(maxRows, most ?? usualLimit),
    offset: start ?? 0,
    order: column ? { column, way: way?.toLowerCase() === "desc" ? "DESC" : "ASC" } : undefined,
    where,
  });
}

/** The problem with a condition that holds more than one; texts in quotes may hold anything. */
function whereProblem(where: string): string | undefined {
  if (where.trim() === "") return "where must not be empty";
  const bare = where.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]/g, "''");
  if (/--|\/\*|;/.test(bare)) return "where must not hold comments or semicolons";
  const word = /\b(?:limit|offset|union|attach|pragma)\b/i.exec(bare)?.[0];
  return word && `where must not hold ${word.toUpperCase()}`;
}
