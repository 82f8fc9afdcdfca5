import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { release } from "node:os";
import { dirname, join } from "node:path";
import { fail, messageOf, ok, type Result, readPlain, sleep, succeeds } from "@pith/kit";
import type { Env } from "../env.ts";
import { spawn } from "../platform.ts";
import { bubblewrapArgs } from "./bubblewrap.ts";
import { writeMountCheck } from "./mount-check.ts";
import type { SandboxPlan } from "./plan/plan.ts";
import { seatbeltText } from "./seatbelt.ts";
import { type SandboxTools, toolsOf } from "./tools.ts";
import { trySandbox } from "./trial.ts";

export interface ProbeOptions {
  env: Env;
  /** File in which the answer is remembered. */
  file: string;
  /** Makes a plan as commands will have it, of what is there now. */
  plan(): SandboxPlan;
  /** The file of what `filter.ts` says. */
  filter?: string | undefined;
}

/** Tells if a sandbox can be built here, tried once for a program and a kernel, and remembered. */
export async function probeSandbox({
  env,
  file,
  plan,
  filter,
}: ProbeOptions): Promise<Result<SandboxTools, "sandbox">> {
  const tools = toolsOf(env);
  if (!tools) return fail("sandbox", "bubblewrap (bwrap) is not installed");
  const key = keyOf(tools.program);
  const known = remembered(file, key);
  const outside = join(dirname(file), `trial-${crypto.randomUUID().slice(0, 8)}`);
  let why = known ?? (await run(tools, { plan: plan(), filter, outside }));
  // Something that it names, a socket mostly, went in that moment.
  for (let left = mostTries; /^bwrap: Can't (?:create|find)/.test(why) && left > 0 && known === undefined; left--)
    why = await run(tools, { plan: plan(), filter, outside });
  if (known === undefined) remember(file, { key, why, at: Date.now() });
  return why === "" ? ok(tools) : fail("sandbox", why);
}

/** Builds a sandbox and looks if it holds. Empty when it does. */
async function run(
  { program, kind, bash }: SandboxTools,
  { plan, filter, outside }: { plan: SandboxPlan; filter: string | undefined; outside: string },
): Promise<string> {
  const own = mkdtempSync(join(dirname(plan.tmp), "trial-"));
  if (kind === "seatbelt") return await trySeatbelt(program, plan, own);
  // Where there is no folder nothing could be written anyway.
  succeeds(() => mkdirSync(dirname(outside), { recursive: true, mode: 0o700 }));
  // Whoever can mount again undoes all of it.
  const said = `while read -r name value; do case $name in CapEff:|CapPrm:) case $value in *[!0]*) exit 3;; esac;; esac
done </proc/self/status; { true >"$1"; } 2>/dev/null
{ true >>/proc/sys/kernel/core_pattern; } 2>/dev/null && exit 6; [ "$$" -lt 20 ] || exit 5; exit 0`;
  let handed: number | undefined;
  try {
    const argv = [
      program,
      "--die-with-parent",
      ...bubblewrapArgs({ plan, own, network: "own", filter: filter === undefined ? undefined : 3 }),
      bash ?? "/bin/sh",
      "-c",
      bash === undefined ? said : `. "$2"; ${said}`,
    ];
    if (filter !== undefined) handed = openSync(filter, "r");
    const child = spawn([...argv, "sh", outside, bash === undefined ? "" : writeMountCheck(plan, own)], {
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["ignore", "ignore", "pipe", handed ?? "ignore"],
      detached: true,
    });
    child.unref();
    const done = new AbortController();
    const late = await Promise.race([child.exited.then(() => undefined), sleep(patienceMs, done.signal)]);
    done.abort();
    if (late !== undefined) {
      child.kill("SIGKILL");
      return `bubblewrap did not answer within ${patienceMs / 1000} s`;
    }
    // What stands in a /tmp of its own is not outside: only what is here afterwards is.
    if (existsSync(outside)) return "a command can write outside of its sandbox";
    if (child.exitCode === 0) return "";
    const words = (await new Response(child.stderr).text()).trim().split("\n")[0]?.slice(0, 200);
    return words ? words : (unsound[child.exitCode ?? 0] ?? `bubblewrap ended with ${child.exitCode}`);
  } catch (thrown) {
    return messageOf(thrown);
  } finally {
    if (handed !== undefined) closeSync(handed);
    for (const path of [own, outside]) rmSync(path, { recursive: true, force: true });
  }
}

/** On macOS all that is forbidden is tried: nobody has seen there what our rules come to. */
async function trySeatbelt(program: string, plan: SandboxPlan, own: string): Promise<string> {
  const closed = mkdtempSync(join(dirname(plan.tmp), "closed-"));
  const hidden = [...plan.hidden, { path: closed, kind: "folder" } as const];
  const text = seatbeltText(Object.assign({}, plan, { hidden }), own);
  try {
    return await trySandbox(closed, (argv) => [program, "-p", text, ...argv]);
  } finally {
    for (const path of [own, closed]) rmSync(path, { recursive: true, force: true });
  }
}

const unsound: Readonly<Record<number, string>> = {
  3: "bubblewrap leaves capabilities to a command",
  5: "a command can see other processes",
  6: "a command can change how the machine works",
};

interface Remembered {
  key: string;
  why: string;
  at: number;
}

/** A refusal may be mended by somebody: it counts for a while only. */
function remembered(file: string, key: string): string | undefined {
  const text = readPlain(file, { maxBytes: 4096, owner: (uid) => uid === process.getuid?.() });
  try {
    const kept = text.ok ? (JSON.parse(text.value) as Partial<Remembered>) : {};
    if (kept.key !== key || typeof kept.why !== "string" || typeof kept.at !== "number") return undefined;
    const age = Date.now() - kept.at;
    return kept.why === "" || (age >= 0 && age < refusedMs) ? kept.why : undefined;
  } catch {
    return undefined;
  }
}

/** Remembers an answer; if that fails, it is tried again. */
function remember(file: string, facts: Remembered): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(file, { force: true });
    writeFileSync(file, `${JSON.stringify(facts)}\n`, { mode: 0o600, flag: "wx" });
  } catch {}
}

/** Counts up with what the sandbox asks of the machine. */
const version = 3;

/** Another program, kernel or user is another answer. */
function keyOf(program: string): string {
  const { mtimeMs, size, mode } = statSync(program);
  return [version, program, mtimeMs, size, mode, release(), process.getuid?.()].join(" ");
}

const mostTries = 8;
const patienceMs = 3000;
const refusedMs = 10 * 60 * 1000;
