import { readFileSync } from "node:fs";
import { fail, ok, type Result } from "@pith/kit";
import { bunOnly, isBun } from "../platform.ts";
import { spawn } from "./platform.ts";

export interface ScriptRun {
  /** A program that needs nothing but the runtime and answers on standard output. */
  script: string;
  /** What it reads from standard input; without, it has only its arguments, and may be of any length. */
  input?: string;
  args?: readonly string[];
  timeoutMs: number;
  /** Bytes that it may hold. */
  maxMemory?: number;
  signal: AbortSignal;
}

type Failure = "timeout" | "memory" | "aborted" | "crash";

/**
 * Runs a script in a process of its own, so that it can be stopped whatever it does. The compiled program brings its
 * runtime along.
 */
export async function runScript({
  script,
  input,
  args = [],
  timeoutMs,
  maxMemory = Number.POSITIVE_INFINITY,
  signal,
}: ScriptRun): Promise<Result<string, Failure>> {
  if (signal.aborted) return fail("aborted", "stopped");
  if (!isBun) return fail("crash", bunOnly("this kind of file"));
  // An argument of the system has a short limit: a long script comes through standard input.
  const how = input === undefined ? ["run", "-", ...args] : ["-e", script];
  // No directory of a stranger and no home: nothing there may configure the runtime.
  const child = spawn([process.execPath, "--no-install", "--no-env-file", ...how], {
    cwd: "/",
    env: { BUN_BE_BUN: "1" },
    stdin: Buffer.from(input ?? script),
    stdout: "pipe",
    stderr: "pipe",
  });
  let ended: "timeout" | "memory" | undefined;
  const stop = (why?: typeof ended) => {
    ended ??= why;
    child.kill("SIGKILL");
  };
  const onAbort = () => stop();
  const timer = setTimeout(() => stop("timeout"), timeoutMs);
  const watch = Number.isFinite(maxMemory)
    ? setInterval(() => held(child.pid) > maxMemory && stop("memory"), 50)
    : undefined;
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const [answer, complaint] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    if (signal.aborted) return fail("aborted", "stopped");
    if (ended === "timeout") return fail("timeout", `took longer than ${timeoutMs / 1000} seconds`);
    if (ended === "memory") return fail("memory", `took more than ${maxMemory / 1024 / 1024} MB of memory`);
    return child.exitCode === 0
      ? ok(answer)
      : fail("crash", complaint.trim().slice(-500) || `ended with ${child.signalCode ?? child.exitCode}`);
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Bytes of a process in memory; 0 where the system does not tell. */
function held(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
