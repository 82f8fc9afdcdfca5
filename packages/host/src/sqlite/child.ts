// Runs in a process of its own, fed with a request on standard input: a query that never ends, or a damaged file that
// brings SQLite down, ends that process and not ours. Self-contained: it is handed over as text.
import { dlopen } from "bun:ffi";
import { constants, Database, type SQLQueryBindings } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

type Value = string | number | bigint | boolean | null | Uint8Array;
type Request = {
  steps: { sql: string; params?: SQLQueryBindings[]; optional?: true }[];
} & ({ mode: "make" } | Meant);
interface Meant {
  mode: "read" | "write";
  path: string;
  /** Device and number of the file that is meant, whatever stands at the path by now. */
  dev: string;
  ino: string;
}

/** Stands for the text of this file, which an import gives: the type checker looks here. */
export default "";

const request = JSON.parse(await Bun.stdin.text()) as Request;

/** The value as JSON holds it: numbers beyond what JavaScript counts exactly, and bytes, become text. */
function plain(value: Value): string | number | null {
  if (typeof value === "bigint")
    return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : String(value);
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value.subarray(0, 64)).toString("hex");
    return value.length > 64 ? `x'${hex}…' (${value.length} bytes)` : `x'${hex}'`;
  }
  return typeof value === "boolean" ? Number(value) : value;
}

function run(database: Database, { sql, params = [], optional }: Request["steps"][number]) {
  try {
    const statement = database.prepare(sql).safeIntegers(true);
    if (request.mode === "read" && statement.paramsCount !== params.length)
      throw new Error("the query has bound parameters, which cannot be given here");
    if (request.mode === "write" && statement.columnNames.length === 0)
      return { columns: [], rows: [], changes: statement.run(...params).changes };
    const rows = (statement.values(...params) as Value[][]).map((row) => row.map(plain));
    return { columns: statement.columnNames, rows, changes: 0 };
  } catch (thrown) {
    if (!optional) throw thrown;
    return { columns: [], rows: [], changes: 0 };
  }
}

/** True for a database that is written ahead, as its header says. */
function isAhead(path: string): boolean {
  const bytes = Buffer.alloc(20);
  const fd = openSync(path, "r");
  readSync(fd, bytes, 0, 20, 0);
  closeSync(fd);
  return bytes.subarray(18, 20).includes(2);
}

/**
 * A database that is written ahead gets two files beside it as soon as it is opened, also for reading. When nobody has
 * them open, there is nothing in them: it is then opened as one that cannot change, and nothing is left behind.
 */
function open(path: string, mode: "read" | "write"): Database {
  if (mode === "write") return new Database(path, { create: false, readwrite: true, strict: true });
  if (!isAhead(path) || existsSync(`${path}-wal`)) return new Database(path, { readonly: true, strict: true });
  return new Database(
    `${pathToFileURL(path).href}?immutable=1`,
    constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
  );
}

interface Handle {
  at: string;
  dev: bigint;
  ino: bigint;
}

/** The files that this process has open: SQLite goes by paths, and only its handles tell where they led. */
const handles = (): Handle[] => (process.platform === "darwin" ? handlesOnMac() : handlesByProc());

/** By <libproc.h> and <sys/proc_info.h>: a list of `proc_fdinfo`, and a `vnode_fdinfowithpath` of each file. */
function handlesOnMac(): Handle[] {
  const { symbols } = dlopen("/usr/lib/libSystem.B.dylib", {
    proc_pidinfo: { args: ["i32", "i32", "u64", "ptr", "i32"], returns: "i32" },
    proc_pidfdinfo: { args: ["i32", "i32", "i32", "ptr", "i32"], returns: "i32" },
  });
  const list = Buffer.alloc(8 * 1024);
  const info = Buffer.alloc(1200);
  const bytes = Math.max(0, symbols.proc_pidinfo(process.pid, 1, 0, list, list.length));
  return Array.from({ length: bytes >> 3 }, (_, n) => n * 8).flatMap((entry) => {
    const isFile = list.readUInt32LE(entry + 4) === 1;
    const fd = list.readInt32LE(entry);
    if (!isFile || symbols.proc_pidfdinfo(process.pid, fd, 2, info, info.length) < info.length) return [];
    const { dev, ino } = fstatSync(fd, { bigint: true });
    return [{ at: info.toString("utf8", 176, info.indexOf(0, 176)), dev, ino }];
  });
}

function handlesByProc(): Handle[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const { dev, ino } = statSync(`/proc/self/fd/${fd}`, { bigint: true });
      return [{ at: readlinkSync(`/proc/self/fd/${fd}`), dev, ino }];
    } catch {
      return [];
    }
  });
}

/**
 * The journals of the database that are open and do not stand beside it, because a folder was swapped. Throws when the
 * database that is open is not the one meant.
 */
function astray({ path, dev, ino }: Meant): Handle[] {
  const all = handles();
  const own = all.find((handle) => String(handle.dev) === dev && String(handle.ino) === ino);
  if (!own) throw new Error(swapped);
  const name = path.slice(path.lastIndexOf("/") + 1);
  const beside = [`/${name}-journal`, `/${name}-wal`, `/${name}-shm`];
  return all.filter(({ at }) => beside.some((end) => at.endsWith(end)) && dirname(at) !== dirname(own.at));
}

const swapped = "was changed by something else in the meantime";

function mustBeHere(meant: Meant): void {
  // Reading goes on where the system does not tell what is open; nothing can land anywhere.
  if (meant.mode === "read" && process.platform !== "darwin" && !existsSync("/proc/self/fd")) return;
  if (astray(meant).length > 0) throw new Error(swapped);
}

/** Runs all steps or none, in the file that is meant or in none. */
function write(database: Database, meant: Meant) {
  database.run("BEGIN IMMEDIATE");
  let lost: Handle[] = [];
  try {
    mustBeHere(meant);
    const results = request.steps.map((step) => run(database, step));
    lost = astray(meant);
    if (lost.length > 0) throw new Error(swapped);
    database.run("COMMIT");
    return results;
  } catch (thrown) {
    if (database.inTransaction) database.run("ROLLBACK");
    // SQLite removes its journal by the path, which leads elsewhere by now. The others belong to everybody who has the
    // database open.
    for (const { at, ino } of lost.filter((handle) => handle.at.endsWith("-journal")))
      if (lstatSync(at, { bigint: true, throwIfNoEntry: false })?.ino === ino) unlinkSync(at);
    throw thrown;
  }
}

function make(steps: Request["steps"]) {
  using database = new Database(":memory:", { strict: true });
  // All statements of a script, or none.
  database.transaction(() => {
    for (const { sql } of steps) database.exec(sql);
  })();
  return database.serialize().toString("base64");
}

function answer() {
  if (request.mode === "make") return { ok: true, bytes: make(request.steps) };
  using database = open(request.path, request.mode);
  mustBeHere(request);
  database.run("PRAGMA busy_timeout = 3000");
  const read = () => request.steps.map((step) => run(database, step));
  return { ok: true, results: request.mode === "write" ? write(database, request) : read() };
}

let reply: object;
try {
  reply = answer();
} catch (error) {
  reply = { ok: false, message: error instanceof Error ? error.message : String(error) };
}
await Bun.write(Bun.stdout, JSON.stringify(reply));
