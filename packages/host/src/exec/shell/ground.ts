import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import { type Cgroup, openCgroup } from "../care/cgroup.ts";
import type { Limits } from "../care/limit.ts";
import { Lookout } from "../care/lookout.ts";
import { processes } from "../care/process.ts";
import { Reaper } from "../care/reaper.ts";
import { type Watcher, watch } from "../care/watcher.ts";
import type { Env } from "../env.ts";
import { type Found, findShell } from "./find.ts";
import { type Libc, openLibc } from "./libc.ts";
import { cookieName } from "./script.ts";

/** What commands may use, each and all of a session together. */
export interface ShellLimits {
  command?: Limits;
  session?: Limits;
  /** Bytes of one file. */
  fileSize?: number;
  /** Bytes that must stay free where a command runs. */
  freeDisk?: number;
}

/** What all shells of a session stand on. Made by the first command; gone with `dispose`, or with us. */
export interface Ground extends Disposable {
  shell: Found;
  folder: string;
  /** The cookie of all commands, before the dot. */
  cookie: string;
  libc: Libc | undefined;
  cgroup: Cgroup | undefined;
  watcher: Watcher | undefined;
  reaper: Reaper | undefined;
  /** Settings for `ulimit`. */
  rlimits: readonly string[];
  /** Looks after what the kernel does not hold. */
  lookout: Lookout;
  command: Limits;
  /** Which limits hold and by what means, for people. */
  held: string;
}

export interface GroundParts {
  env: Env;
  configured: string | undefined;
  tmp: string;
  limits: ShellLimits;
}

export async function openGround({ env, configured, tmp, limits }: GroundParts): Promise<Result<Ground, "spawn">> {
  const shell = findShell({ platform: process.platform, env, configured, exists: existsSync });
  if (!shell) return fail("spawn", "There is no shell on this machine: neither bash nor sh was found");
  if (!existsSync(shell.path)) return fail("spawn", `The shell could not be started: ${shell.path} does not exist`);
  const command = { ...defaults, ...limits.command };
  const id = crypto.randomUUID().slice(0, 13);
  try {
    const folder = mkdtempSync(join(tmp, "pith-shell-"));
    const libc = await openLibc();
    libc?.adoptOrphans();
    const reaper = libc && new Reaper(libc.reap);
    const cgroup = openCgroup(`pith-${id}`, { ...command, ...limits.session });
    const watcher = watch({ groups: cgroup?.dirs ?? [], folder, cookie: `${cookieName}=${id}`, env });
    const holds = cgroup?.child("probe", command);
    const held = holds?.holds ?? [];
    holds?.remove();
    const onExit = () => rmSync(folder, { recursive: true, force: true });
    process.once("exit", onExit);
    return ok({
      shell,
      folder,
      cookie: id,
      libc,
      cgroup,
      watcher,
      reaper,
      command,
      rlimits: rlimits(shell, limits, held.includes("processes") ? undefined : command.processes),
      lookout: new Lookout({
        ...(held.includes("memory") || command.memory === undefined ? {} : { memory: command.memory }),
        ...(held.includes("processes") || command.processes === undefined ? {} : { processes: command.processes }),
        freeDisk: limits.freeDisk ?? defaultFreeDisk,
      }),
      held: cgroup && held.length > 0 ? `${held.join(" and ")} by control group` : "watched",
      [Symbol.dispose]() {
        process.off("exit", onExit);
        reaper?.[Symbol.dispose]();
        watcher?.[Symbol.dispose]();
        rmSync(folder, { recursive: true, force: true });
        // Whoever was just killed may still be in it; then the watcher removes it.
        cgroup?.remove();
      },
    });
  } catch (thrown) {
    return fail("spawn", `The shell could not be started: ${messageOf(thrown)}`);
  }
}

const defaults: Limits = { memory: Math.floor(totalmem() * 0.8), processes: 4096 };
const defaultFreeDisk = 256 * 1024 * 1024;

/** The limit of processes counts all of a user's, and does not bind root: there it is none. */
function rlimits(shell: Found, { fileSize }: ShellLimits, count: number | undefined): string[] {
  const block = shell.dialect === "bash" ? 1024 : 512;
  return [
    "-c 0",
    ...(fileSize === undefined ? [] : [`-f ${Math.ceil(fileSize / block)}`]),
    ...(count === undefined || process.getuid?.() === 0 ? [] : [`-u ${processes().length + count}`]),
  ];
}
