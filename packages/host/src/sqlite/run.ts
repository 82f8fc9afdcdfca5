import { fail, ok, type Result } from "@pith/kit";
import { runScript } from "../exec/script.ts";
import { fsFailure } from "../fs/failure.ts";
import { statReal } from "../fs/hold/hold.ts";
import type { AnyTarget } from "../fs/target.ts";
import script from "./child.ts" with { type: "text" };

export interface SqlStep {
  sql: string;
  params?: (string | number | null)[];
  /** Lets the others go on when it fails; it then has no rows. */
  optional?: true;
}

export interface SqlRows {
  columns: string[];
  rows: (string | number | null)[][];
  /** Rows that a statement without a result changed. */
  changes: number;
}

type SqlFailure = "sql" | "timeout" | "aborted";
export type SqlAnswer<T> = Promise<Result<T, SqlFailure>>;

/**
 * Runs statements on a database file, one after the other. For reading, the engine itself has the file open read-only;
 * for writing, all of them are one transaction. A file that takes the place of this one meanwhile is not touched.
 */
export async function runSql(
  at: string | AnyTarget,
  mode: "read" | "write",
  steps: readonly SqlStep[],
  signal: AbortSignal,
): SqlAnswer<SqlRows[]> {
  const file = identity(at);
  if (!file.ok) return file;
  const answer = await ask<{ results: SqlRows[] }>({ ...file.value, mode, steps }, signal);
  return answer.ok ? ok(answer.value.results) : answer;
}

/** The bytes of a database that statements make. */
export async function makeSql(script: string, signal: AbortSignal): SqlAnswer<Buffer> {
  const answer = await ask<{ bytes: string }>({ mode: "make", steps: [{ sql: script }] }, signal);
  return answer.ok ? ok(Buffer.from(answer.value.bytes, "base64")) : answer;
}

/** The file that is meant, told by device and number. */
function identity(at: string | AnyTarget): Result<{ path: string; dev: string; ino: string }, "sql"> {
  try {
    const path = typeof at === "string" ? at : at.real;
    const stat = typeof at === "string" || at.is === "missing" ? statReal(path) : at.stat;
    return ok({ path, dev: String(stat.dev), ino: String(stat.ino) });
  } catch (thrown) {
    return fail("sql", fsFailure("", thrown).message.slice(2));
  }
}

async function ask<T>(request: object, signal: AbortSignal): SqlAnswer<T> {
  const input = JSON.stringify(request);
  const ran = await runScript({ script, input, timeoutMs: 10_000, maxMemory: 1024 * 1024 * 1024, signal });
  if (!ran.ok) {
    if (ran.kind === "crash") return fail("sql", `SQLite failed: ${ran.message}`);
    return fail(ran.kind === "memory" ? "sql" : ran.kind, `The query ${ran.message}`);
  }
  const answer = JSON.parse(ran.value) as ({ ok: true } & T) | { ok: false; message: string };
  return answer.ok ? ok(answer) : fail("sql", answer.message);
}

/** A name as SQL reads it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
