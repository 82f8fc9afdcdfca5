// Runs in a process of its own, fed with a request on standard input: a query that never ends, or a damaged file that
// brings SQLite down, ends that process and not ours. Self-contained: it is handed over as text.
import { constants, Database, type SQLQueryBindings } from "bun:sqlite";
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { pathToFileURL } from "node:url";

type Value = string | number | bigint | boolean | null | Uint8Array;
interface Request {
  path: string;
  mode: "read" | "write" | "make";
  steps: { sql: string; params?: SQLQueryBindings[]; optional?: true }[];
}

/** What whoever imports this file as text gets, for the type checker. */
export default "";

const request = JSON.parse(await Bun.stdin.text()) as Request;

/** Numbers beyond what JavaScript counts exactly, and bytes, as text. */
function plain(value: Value): string | number | null {
  if (typeof value === "bigint")
    return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : String(value);
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value.subarray(0, 64)).toString("hex");
    return value.length > 64 ? `x'${hex}…' (${value.length} bytes)` : `x'${hex}'`;
  }
  return typeof value === "boolean" ? Number(value) : value;
}

function run(database: Database, { sql, params = [] }: Request["steps"][number]) {
  if (request.mode === "make") {
    // All statements of a script, or none.
    database.transaction(() => database.exec(sql))();
    return { columns: [], rows: [], changes: 0 };
  }
  const statement = database.prepare(sql).safeIntegers(true);
  if (request.mode === "read" && statement.paramsCount !== params.length)
    throw new Error("the query has bound parameters, which cannot be given here");
  if (request.mode === "write" && statement.columnNames.length === 0)
    return { columns: [], rows: [], changes: statement.run(...params).changes };
  return {
    columns: statement.columnNames,
    rows: (statement.values(...params) as Value[][]).map((row) => row.map(plain)),
    changes: 0,
  };
}

function tryRun(database: Database, step: Request["steps"][number]) {
  try {
    return run(database, step);
  } catch {
    return { columns: [], rows: [], changes: 0 };
  }
}

function head(path: string): Buffer {
  const bytes = Buffer.alloc(20);
  const fd = openSync(path, "r");
  readSync(fd, bytes, 0, 20, 0);
  closeSync(fd);
  return bytes;
}

/**
 * A database that is written ahead gets two files beside it as soon as it is opened, also for reading. When nobody has
 * them open, there is nothing in them: it is then opened as one that cannot change, and nothing is left behind.
 */
function open(path: string): Database {
  if (request.mode === "make") return new Database(path, { create: true, readwrite: true, strict: true });
  if (request.mode === "write") return new Database(path, { create: false, readwrite: true, strict: true });
  const ahead = head(path).subarray(18, 20).includes(2) && !existsSync(`${path}-wal`);
  if (!ahead) return new Database(path, { readonly: true, strict: true });
  return new Database(
    `${pathToFileURL(path).href}?immutable=1`,
    constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
  );
}

try {
  const database = open(request.path);
  database.run("PRAGMA busy_timeout = 3000");
  const results = request.steps.map((step) => (step.optional ? tryRun(database, step) : run(database, step)));
  database.close();
  await Bun.write(Bun.stdout, JSON.stringify({ ok: true, results }));
} catch (error) {
  await Bun.write(
    Bun.stdout,
    JSON.stringify({ ok: false, message: error instanceof Error ? error.message : String(error) }),
  );
}
