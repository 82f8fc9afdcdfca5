import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result, tryOr } from "@pith/kit";
import { spawn } from "../platform.ts";
import { persistentTemp } from "../shell/runtime.ts";
import type { Violation } from "./guard/guard.ts";
import type { Sandbox } from "./sandbox.ts";

export interface SandboxRun {
  sandbox: Sandbox;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}

/** Runs a program in a sandbox for a person, who has its input and output: its exit code, and what was taken back. */
export async function runSandboxed({
  sandbox: wall,
  argv,
  cwd,
  env,
  signal,
}: SandboxRun): Promise<Result<{ code: number; violations: Violation[] }, "sandbox">> {
  const den = mkdtempSync(join(persistentTemp(), "pith-sandbox-"));
  try {
    const stands = await wall.prepare(() => den);
    if (!stands.ok) return stands;
    const gate = await wall.gateway(den);
    const first = 'exec 2>&7 7>&-; . "$1"; cd -- "$2" && shift 2 && exec "$@"';
    // What a person's shell handed on is for their program: the check is read without.
    const handed = Object.entries(env).filter(([name, value]) => value !== undefined && ofShells.test(name));
    const again = handed.length === 0 ? [] : ["env", ...handed.map(([name, value]) => `${name}=${value}`)];
    const without = Object.fromEntries(handed.map(([name]) => [name, undefined]));
    const trouble = join(den, "trouble");
    for (let left = mostTries; ; left--) {
      const own = mkdtempSync(join(den, "own-"));
      const cell = wall.command(own, `${own}.status`, { where: "at a terminal" });
      const watched = cell && wall.watch(cell);
      if (!cell || !watched) return fail("sandbox", "it does not stand any more");
      const there = ["bash", "-c", first, "sh", cell.checkFile ?? "/dev/null", cwd, ...again, ...argv];
      // What the builder says of its own trouble is of interest at the end only.
      const child = spawn(["/bin/sh", "-c", 'exec 7>&2 2>"$0"; exec "$@"', trouble, ...cell.wrap(there, [])], {
        cwd: "/",
        env: { ...env, ...without, ...gate?.env, TMPDIR: "/tmp" },
        stdio: ["inherit", "inherit", "inherit"],
      });
      const end = () => child.kill("SIGKILL");
      signal.addEventListener("abort", end, { once: true });
      const code = await child.exited;
      signal.removeEventListener("abort", end);
      const violations = watched.end();
      if (cell.wasBuilt() || signal.aborted) return ok({ code, violations: [...violations, ...(await wall.settle())] });
      // Something that is hidden, a socket mostly, went in that moment.
      if (left === 0)
        return fail(
          "sandbox",
          tryOr(() => readFileSync(trouble, "utf8").trim(), "it could not be built"),
        );
      wall.lookAgain();
    }
  } finally {
    rmSync(den, { recursive: true, force: true });
  }
}

const mostTries = 8;
const ofShells = /^(?:SHELLOPTS|BASHOPTS|BASH_ENV|BASH_FUNC_.*)$/;
