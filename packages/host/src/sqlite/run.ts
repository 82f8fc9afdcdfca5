import { fail, ok, type Result } from "@pith/kit";
import { runScript } from "../exec/script.ts";
import script from "./child.ts" with { type: "text" };

export interface SqlStep {
  sql: string;
  params?: (string | number | null)[];
  /** When it fails it has no rows, and the others go on. */
  optional?: true;
}

export interface SqlRows {
  columns: string[];
  rows: (string | number | null)[][];
  /** Rows that a statement without a result changed. */
  changes: number;
}

export type SqlFailure = "sql" | "timeout" | "aborted";

/**
 * Runs statements on a database file, one after the other. For reading, the engine itself has the file open read-only.
 */
export async function runSql(
  path: string,
  mode: "read" | "write" | "make",
  steps: readonly SqlStep[],
  signal: AbortSignal,
): Promise<Result<SqlRows[], SqlFailure>> {
  const ran = await runScript({
    script,
    input: JSON.stringify({ path, mode, steps }),
    timeoutMs: 10_000,
    maxMemory: 1024 * 1024 * 1024,
    signal,
  });
  if (!ran.ok) {
    if (ran.kind === "crash") return fail("sql", `SQLite failed: ${ran.message}`);
    return fail(ran.kind === "memory" ? "sql" : ran.kind, `The query ${ran.message}`);
  }
  const answer = JSON.parse(ran.value) as { ok: true; results: SqlRows[] } | { ok: false; message: string };
  return answer.ok ? ok(answer.results) : fail("sql", answer.message);
}

/** A name as SQL reads it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
