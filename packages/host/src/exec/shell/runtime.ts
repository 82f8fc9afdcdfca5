import { accessSync, constants, existsSync, mkdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import type { Env } from "../env.ts";
import { atExit } from "../process/at-exit.ts";
import { attempt } from "../process/attempt.ts";
import { type Cgroup, cgroupPaths, openCgroup } from "../process/cgroup.ts";
import { type Libc, openLibc } from "../process/libc.ts";
import { LimitMonitor } from "../process/limit-monitor.ts";
import { type CommandLimits, freeDisk } from "../process/limits.ts";
import { Reaper } from "../process/reaper.ts";
import { processes } from "../process/table.ts";
import { startWatchdog, type Watchdog } from "../process/watchdog.ts";
import { DiskReserve } from "./disk-reserve.ts";
import { findShell, type ShellProgram } from "./find.ts";
import { type CommandFiles, cookieName, isName } from "./script.ts";

/** What commands may use, each and all of a session together. */
export interface ShellLimits {
  command?: CommandLimits;
  session?: CommandLimits;
  /** Bytes of one file. */
  fileSize?: number;
  /** Bytes that must stay free where a command runs. */
  freeDisk?: number;
}

/** What all shells of a session stand on. Made by the first command; gone with `dispose`, or with us. */
export interface ShellResources extends Disposable {
  shell: ShellProgram;
  /** For the small files of every command. */
  folder: string;
  /** A folder on a disk, for long outputs. */
  spillFolder(): string;
  /** Only where commands can fill the disk that `folder` stands on. */
  diskReserve: DiskReserve | undefined;
  /** Another, for what commands behind a wall have of their own. */
  sandboxFolder(): string;
  /** Somebody behind a wall goes on without us, in that folder. */
  keepSandboxFor(pid: number): void;
  /** What no shell can hold as a variable of its own, and hands on all the same. */
  env: Readonly<Record<string, string>>;
  /** The cookie of all commands, before the dot. */
  cookie: string;
  /** What a command of this name is known by, and its files. */
  filesOf(run: string): CommandFiles;
  libc: Libc | undefined;
  cgroup: Cgroup | undefined;
  watchdog: Watchdog | undefined;
  reaper: Reaper | undefined;
  /** Settings for `ulimit`. */
  rlimits: readonly string[];
  /** Bytes of one file, which they hold. */
  fileSize: number | undefined;
  /** Looks after what the kernel does not hold. */
  limitMonitor: LimitMonitor;
  commandLimits: CommandLimits;
  /** Which limits hold and by what means, for people. */
  limitsText: string;
}

export interface ShellRuntimeOptions {
  env: Env;
  configured: string | undefined;
  limits: ShellLimits;
}

/** One ground for all shells of a process; opened by the first command of any of them. */
export class ShellRuntime implements Disposable {
  readonly #options: ShellRuntimeOptions;
  #opened: Promise<Result<ShellResources, "spawn">> | undefined;
  #count = 0;

  constructor(options: ShellRuntimeOptions) {
    this.#options = options;
  }

  open(): Promise<Result<ShellResources, "spawn">> {
    this.#opened ??= openResources(this.#options);
    return this.#opened;
  }

  /** The name of a command that no other shell on this ground has. */
  nextRun(): string {
    return String(++this.#count);
  }

  [Symbol.dispose](): void {
    void this.#opened?.then((opened) => opened.ok && opened.value[Symbol.dispose]());
  }
}

async function openResources({
  env,
  configured,
  limits,
}: ShellRuntimeOptions): Promise<Result<ShellResources, "spawn">> {
  const shell = findShell({ platform: process.platform, env, configured, exists: existsSync });
  if (!shell) return fail("spawn", "There is no shell on this machine: neither bash nor sh was found");
  if (!existsSync(shell.path)) return fail("spawn", `The shell could not be started: ${shell.path} does not exist`);
  const command = { ...defaults, ...limits.command };
  const id = crypto.randomUUID().slice(0, 13);
  try {
    const disk = [tmpdir(), "/tmp"].find(isWritable) ?? tmpdir();
    // Behind a wall `/tmp` is another folder: what that is stands elsewhere, so that it does not lie in itself.
    const beside = persistentTemp();
    const memory = inMemory();
    const [folder = "", spilled = "", den = ""] = [memory ?? disk, disk, beside].map((place) =>
      join(place, ownName(id)),
    );
    const places = cgroupPaths(ownName(id));
    // The watcher stands before there is anything to leave behind.
    const watcher = startWatchdog({
      groups: places,
      folders: [folder, spilled, den],
      variable: `${cookieName}=${id}`,
      env,
    });
    mkdirSync(folder, { mode: 0o700 });
    const made = new Set([folder]);
    /** The names are known from the folder: whatever stands there and is not ours was put there by somebody else. */
    const make = (place: string) => {
      if (!made.has(place)) mkdirSync(place, { mode: 0o700 });
      made.add(place);
      return place;
    };
    const libc = await openLibc();
    libc?.adoptOrphans();
    const reaper = libc && new Reaper(libc.reap);
    const cgroup = openCgroup(places, { ...command, ...limits.session });
    const holds = cgroup?.child("probe", command);
    const held = holds?.enforced ?? [];
    holds?.remove();
    const heirs: number[] = [];
    // Where it is mounted it stays so: whoever is there goes on in it. The next session removes it after them.
    const handOn = () => {
      const heir = heirs.find((pid) => attempt(() => process.kill(pid, 0)));
      if (heir !== undefined && made.delete(den)) attempt(() => renameSync(den, join(beside, ownName(id, heir))));
    };
    const onExit = () => {
      handOn();
      for (const place of made) rmSync(place, { recursive: true, force: true });
    };
    const stay = atExit(onExit);
    return ok({
      shell,
      folder,
      diskReserve: memory === undefined ? new DiskReserve(folder) : undefined,
      spillFolder: () => make(spilled),
      sandboxFolder: () => make(den),
      keepSandboxFor: (pid) => heirs.push(pid),
      env: Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) => (value === undefined || isName(name) ? [] : [[name, value]])),
      ),
      cookie: id,
      filesOf: (run) => ({
        cookie: `${id}.${run}`,
        stateFile: join(folder, `${run}.state`),
        scriptFile: join(folder, `${run}.orders`),
      }),
      libc,
      cgroup,
      watchdog: watcher,
      reaper,
      commandLimits: command,
      fileSize: limits.fileSize,
      rlimits: rlimits(shell, limits, held.includes("processes") ? undefined : command.processes),
      limitMonitor: new LimitMonitor({
        memory: held.includes("memory") ? undefined : command.memory,
        processes: held.includes("processes") ? undefined : command.processes,
        freeDisk: limits.freeDisk ?? defaultFreeDisk,
      }),
      limitsText: cgroup && held.length > 0 ? `${held.join(" and ")} by control group` : "watched",
      [Symbol.dispose]() {
        stay();
        reaper?.[Symbol.dispose]();
        handOn();
        watcher?.[Symbol.dispose]();
        onExit();
        // Whoever was just killed may still be in it; then the watcher removes it.
        cgroup?.remove();
      },
    });
  } catch (thrown) {
    return fail("spawn", `The shell could not be started: ${messageOf(thrown)}`);
  }
}

/**
 * What stands outside carries whose it is, so that others can remove what is nobody's any more: a process, and the
 * world in which that number counts.
 */
export const ownName = (id: string, pid = process.pid): string => `pith-shell-${world()}.${pid}-${id}`;

function world(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replace(/\D/g, "") || "0";
  } catch {
    return "0";
  }
}

/** Where folders can be made that are not in `/tmp`, if there is such a place. */
export const persistentTemp = (): string => ["/var/tmp", tmpdir()].find(isWritable) ?? "/tmp";

/** Files that live for a millisecond cost a tenth there. In some containers it is tiny. */
const inMemory = (): string | undefined =>
  process.platform === "linux" && isWritable("/dev/shm") && freeDisk("/dev/shm") > leastInMemory
    ? "/dev/shm"
    : undefined;

const leastInMemory = 32 * 1024 * 1024;

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const defaults: CommandLimits = { memory: Math.floor(totalmem() * 0.8), processes: 4096 };
const defaultFreeDisk = 256 * 1024 * 1024;

/** The limit of processes counts all of a user's, and does not bind root: there it is none. */
function rlimits(shell: ShellProgram, { fileSize }: ShellLimits, count: number | undefined): string[] {
  const block = shell.dialect === "bash" ? 1024 : 512;
  return [
    "-c 0",
    ...(fileSize === undefined ? [] : [`-f ${Math.ceil(fileSize / block)}`]),
    ...(count === undefined || process.getuid?.() === 0 ? [] : [`-u ${processes().length + count}`]),
  ];
}
