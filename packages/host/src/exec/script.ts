import { fail, ok, type Result } from "@pith/kit";
import { bunOnly, isBun } from "../platform.ts";
import { spawn } from "./platform.ts";
import { residentBytes } from "./process/table.ts";

export interface ScriptRun {
  /** A program that needs nothing but the runtime and answers on standard output. */
  script: string;
  /** Text for its standard input. Without one it has only its arguments, and the script may be of any length. */
  input?: string;
  args?: readonly string[];
  timeoutMs: number;
  /** Bytes of memory. */
  maxMemory?: number;
  signal: AbortSignal;
}

type Failure = "timeout" | "memory" | "aborted" | "crash";

/** Runs a script in a process of its own, so that it can be stopped whatever it does. */
export async function runScript(run: ScriptRun): Promise<Result<string, Failure>> {
  const { script, input, args = [], timeoutMs, maxMemory = Number.POSITIVE_INFINITY, signal } = run;
  if (signal.aborted) return fail("aborted", "stopped");
  if (!isBun) return fail("crash", bunOnly("this kind of file"));
  // An argument of the system has a short limit: a long script comes through standard input.
  const how = input === undefined ? ["run", "-", ...args] : ["-e", script];
  // No directory of strangers and no home: nothing there may configure the runtime.
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
    ? setInterval(() => residentBytes(child.pid) > maxMemory && stop("memory"), 50)
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
