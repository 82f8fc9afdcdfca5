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
export async function runSandboxed(options: SandboxRun): Promise<Result<Ran, "sandbox">> {
  const { sandbox: wall, signal } = options;
  const den = mkdtempSync(join(persistentTemp(), "pith-sandbox-"));
  try {
    const stands = await wall.prepare(() => den);
    if (!stands.ok) return stands;
    for (let left = mostTries; ; left--) {
      const ran = await runOnce(options, den);
      if (!ran) return fail("sandbox", "it does not stand any more");
      if (ran.built || signal.aborted)
        return ok({ code: ran.code, violations: [...ran.violations, ...(await wall.settle())] });
      // Something that is hidden, a socket mostly, went in that moment.
      if (left === 0) return fail("sandbox", ran.trouble);
      wall.lookAgain();
    }
  } finally {
    rmSync(den, { recursive: true, force: true });
  }
}

interface Ran {
  code: number;
  violations: Violation[];
}

/** Builds a sandbox and runs the program, if that worked. */
async function runOnce(
  { sandbox: wall, argv, cwd, env, signal }: SandboxRun,
  den: string,
): Promise<(Ran & { built: boolean; trouble: string }) | undefined> {
  const gate = await wall.gateway(den);
  const own = mkdtempSync(join(den, "own-"));
  const cell = wall.command(own, `${own}.status`, { where: "at a terminal" });
  const watched = cell && wall.watch(cell);
  if (!cell || !watched) return undefined;
  const first = 'exec 2>&7 7>&-; . "$1"; cd -- "$2" && shift 2 && exec "$@"';
  // What a person's shell handed on is for their program: the check is read without.
  const handed = Object.entries(env).filter(([name, value]) => value !== undefined && ofShells.test(name));
  const again = handed.length === 0 ? [] : ["env", ...handed.map(([name, value]) => `${name}=${value}`)];
  const without = Object.fromEntries(handed.map(([name]) => [name, undefined]));
  const there = ["bash", "-c", first, "sh", cell.checkFile ?? "/dev/null", cwd, ...again, ...argv];
  // What the builder says of its own trouble is of interest at the end only.
  const trouble = join(den, "trouble");
  const child = spawn(["/bin/sh", "-c", 'exec 7>&2 2>"$0"; exec "$@"', trouble, ...cell.wrap(there, [])], {
    cwd: "/",
    env: { ...env, ...without, ...gate?.env, TMPDIR: "/tmp" },
    stdio: ["inherit", "inherit", "inherit"],
  });
  const end = () => child.kill("SIGKILL");
  signal.addEventListener("abort", end, { once: true });
  const code = await child.exited;
  signal.removeEventListener("abort", end);
  const said = tryOr(() => readFileSync(trouble, "utf8").trim(), "");
  return { code, violations: watched.end(), built: cell.wasBuilt(), trouble: said || "it could not be built" };
}

const mostTries = 8;
const ofShells = /^(?:SHELLOPTS|BASHOPTS|BASH_ENV|BASH_FUNC_.*)$/;
