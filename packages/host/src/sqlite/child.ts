// Runs in a process of its own, fed with a request on standard input: a query that never ends, or a damaged file that
// brings SQLite down, ends that process and not ours. Self-contained: it is handed over as text.
import { Database, type SQLQueryBindings } from "bun:sqlite";

type Value = string | number | bigint | boolean | null | Uint8Array;
interface Request {
  path: string;
  mode: "read" | "write";
  steps: { sql: string; params?: SQLQueryBindings[] }[];
}

/** What whoever imports this file as text gets, for the type checker. */
export default "";

const request = JSON.parse(await Bun.stdin.text()) as Request;

/** Numbers beyond what JavaScript counts exactly, and bytes, as text. */
function plain(value: Value): string | number | null {
  if (typeof value === "bigint") return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : String(value);
  if (value instanceof Uint8Array) return `x'${Buffer.from(value.subarray(0, 64)).toString("hex")}${value.length > 64 ? `…' (${value.length} bytes)` : "'"}`;
  return typeof value === "boolean" ? Number(value) : value;
}

function run(database: Database, { sql, params = [] }: Request["steps"][number]) {
  const statement = database.prepare(sql);
  if (request.mode === "read" && statement.paramsCount !== params.length) throw new Error("the query has bound parameters, which cannot be given here");
  if (request.mode === "write" && statement.columnNames.length === 0) return { columns: [], rows: [], changes: statement.run(...params).changes };
  return { columns: statement.columnNames, rows: (statement.values(...params) as Value[][]).map((row) => row.map(plain)), changes: 0 };
}

try {
  const database =
    request.mode === "read"
      ? new Database(request.path, { readonly: true, strict: true, safeIntegers: true })
      : new Database(request.path, { create: false, readwrite: true, strict: true, safeIntegers: true });
  database.run("PRAGMA busy_timeout = 3000");
  const results = request.steps.map((step) => run(database, step));
  database.close();
  await Bun.write(Bun.stdout, JSON.stringify({ ok: true, results }));
} catch (error) {
  await Bun.write(Bun.stdout, JSON.stringify({ ok: false, message: error instanceof Error ? error.message : String(error) }));
}
