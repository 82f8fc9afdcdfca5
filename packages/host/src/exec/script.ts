import { fail, ok, type Result } from "@pith/kit";

export interface ScriptRun {
  /** TypeScript that needs nothing but the runtime; it reads its input from standard input and answers on standard output. */
  script: string;
  input: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Runs a script in a process of its own, so that it can be stopped whatever it does. The compiled program brings its runtime along. */
export async function runScript({ script, input, timeoutMs, signal }: ScriptRun): Promise<Result<string, "timeout" | "aborted" | "crash">> {
  if (signal.aborted) return fail("aborted", "stopped");
  // No directory of a stranger and no home: nothing there may configure the runtime.
  const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", "-e", script], {
    cwd: "/",
    env: { BUN_BE_BUN: "1" },
    stdin: Buffer.from(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  let late = false;
  const stop = () => child.kill("SIGKILL");
  const timer = setTimeout(() => {
    late = true;
    stop();
  }, timeoutMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const [answer, complaint] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
    if (signal.aborted) return fail("aborted", "stopped");
    if (late) return fail("timeout", `took longer than ${timeoutMs / 1000} seconds`);
    return child.exitCode === 0 ? ok(answer) : fail("crash", complaint.trim().slice(-500) || `ended with ${child.signalCode ?? child.exitCode}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
