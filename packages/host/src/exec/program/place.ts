import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "@pith/kit";
import type { Env } from "../env.ts";
import type { Cgroup } from "../process/cgroup.ts";
import type { CommandLimits } from "../process/limits.ts";
import type { ProcessTree } from "../process/tree.ts";
import type { Violation } from "../sandbox/guard/guard.ts";
import type { Sandbox, SandboxedCommand, SandboxKind } from "../sandbox/sandbox.ts";
import type { ShellResources } from "../shell/runtime.ts";
import { cookieName } from "../shell/script.ts";
import { watchViolations } from "../shell/violations.ts";

/** The sandbox of one program; `kind` says what it may write and which network it has. */
export interface ProgramSandbox {
  sandbox: Sandbox;
  /** Never layers: a program that stays has to see what changes later. */
  kind: SandboxKind & { writes: "project" | "nothing" };
  notify?(text: string): void;
}

export interface PlaceOptions {
  argv: readonly string[];
  cwd: string;
  env: Env;
  limits: CommandLimits;
  within?: ProgramSandbox | undefined;
}

/** The start of a program, and the work that is left when it has ended. */
export interface ProgramPlace {
  argv: string[];
  cwd: string;
  env: Env;
  /** The limits that the kernel does not enforce. */
  unenforced: CommandLimits;
  cgroup: Cgroup | undefined;
  /** False where the sandbox could not be built, so that nothing has run; asked after the end. */
  wasBuilt(): boolean;
  tree(pid: number): ProcessTree;
  /** Frees all of it; returns what the sandbox took back or saw. */
  leave(): readonly Violation[] | undefined;
}

/** Makes the place of one program: its control group, and its sandbox if it has one. */
export async function makePlace(
  resources: ShellResources,
  run: string,
  { argv, cwd, env, limits, within }: PlaceOptions,
): Promise<Result<ProgramPlace, "sandbox">> {
  const cookie = `${resources.cookie}.${run}`;
  const cell = within ? await cellFor(resources, run, within) : ok(undefined);
  if (!cell.ok) return cell;
  const cgroup = resources.cgroup?.child(run, limits);
  const groups = cgroup?.procsFiles ?? [];
  const { sandboxed, endWatch, env: way, remove } = cell.value ?? outside;
  const enforced = cgroup?.enforced ?? [];
  return ok({
    argv: sandboxed ? sandboxed.wrap(entering(sandboxed, cwd, argv), groups) : joining(groups, argv),
    cwd: sandboxed ? "/" : cwd,
    env: { ...env, ...way, [cookieName]: cookie },
    unenforced: {
      ...(limits.memory !== undefined && !enforced.includes("memory") && { memory: limits.memory }),
      ...(limits.processes !== undefined && !enforced.includes("processes") && { processes: limits.processes }),
    },
    cgroup,
    wasBuilt: () => sandboxed?.wasBuilt() ?? true,
    tree: (pid) => ({
      group: pid,
      cgroup,
      variable: `${cookieName}=${cookie}`,
      orphans: resources.libc ? "ours" : "lost",
      ...(sandboxed && { sandboxed: { keeper: pid, first: sandboxed.firstPid } }),
    }),
    leave() {
      const violations = endWatch();
      remove();
      cgroup?.remove();
      return violations;
    },
  });
}

interface Cell {
  sandboxed: SandboxedCommand | undefined;
  env: Env;
  endWatch(): readonly Violation[] | undefined;
  remove(): void;
}

const outside: Cell = { sandboxed: undefined, env: {}, endWatch: () => undefined, remove() {} };

async function cellFor(
  { sandboxFolder, folder }: ShellResources,
  run: string,
  { sandbox, kind, notify }: ProgramSandbox,
): Promise<Result<Cell, "sandbox">> {
  const stands = await sandbox.prepare(sandboxFolder);
  if (!stands.ok) return stands;
  const gateway = kind.network === "own" ? await sandbox.gateway(folder) : undefined;
  for (let left = mostTries; left > 0; left--) {
    const own = join(sandboxFolder(), `program-${run}-${left}`);
    mkdirSync(own, { mode: 0o700 });
    const remove = () => {
      for (const path of [own, `${own}.status`]) rmSync(path, { recursive: true, force: true });
    };
    const sandboxed = sandbox.command(own, `${own}.status`, { kind });
    const watch = sandboxed && sandbox.watch(sandboxed);
    if (sandboxed && watch)
      return ok({
        sandboxed,
        env: { ...gateway?.env, TMPDIR: "/tmp" },
        endWatch: watchViolations(watch, notify),
        remove,
      });
    remove();
    if (!sandboxed) return fail("sandbox", "it does not stand any more");
    sandbox.lookAgain();
  }
  return fail("sandbox", "the files that it is built around change all the time");
}

/** A program in a sandbox begins where all is mounted as planned, or not at all. */
const entering = ({ checkFile }: SandboxedCommand, cwd: string, argv: readonly string[]): string[] =>
  checkFile === undefined
    ? ["/bin/sh", "-c", 'cd -- "$0" && exec "$@"', cwd, ...argv]
    : [
        "bash",
        "-c",
        'builtin . "$0" || builtin exit 125; builtin cd -- "$1" && builtin shift && exec "$@"',
        checkFile,
        cwd,
        ...argv,
      ];

/** A program joins its groups before anything of it exists that would not be in them. */
const joining = (groups: readonly string[], argv: readonly string[]): string[] =>
  groups.length === 0
    ? [...argv]
    : [
        "/bin/sh",
        "-c",
        'n=$0; while [ "$n" -gt 0 ]; do echo 0 2>/dev/null >"$1"; shift; n=$((n-1)); done; exec "$@"',
        String(groups.length),
        ...groups,
        ...argv,
      ];

const mostTries = 8;
