import { accessSync, constants, existsSync, mkdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fail, messageOf, ok, type Result, succeeds, tryOr } from "@pith/kit";
import type { Env } from "../env.ts";
import { atExit } from "../process/at-exit.ts";
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

/** Limits of each command, and of all commands of a session together. */
export interface ShellLimits {
  command?: CommandLimits;
  session?: CommandLimits;
  /** Bytes of one file. */
  fileSize?: number;
  /** Bytes that must stay free where a command runs. */
  freeDisk?: number;
}

export interface ShellRuntimeOptions {
  env: Env;
  /** The shell that the user has chosen. */
  configured: string | undefined;
  limits: ShellLimits;
}

/** Resources that all shells of a session share. Made by the first command; gone with `dispose`, or with us. */
export interface ShellResources extends Disposable {
  shell: ShellProgram;
  /** The directory for the small files of every command. */
  folder: string;
  /** A directory on a disk, for long outputs. */
  spillFolder(): string;
  /** Only where commands can fill the disk that `folder` is on. */
  diskReserve: DiskReserve | undefined;
  /** A directory for the files that commands in a sandbox have of their own. */
  sandboxFolder(): string;
  /** Keeps that directory for a process in a sandbox that goes on without us. */
  keepSandboxFor(pid: number): void;
  /** Variables that no shell can hold, and passes on all the same. */
  env: Readonly<Record<string, string>>;
  /** The cookie of all commands, before the dot. */
  cookie: string;
  /** The cookie and the files of a command outside of sandboxes. */
  filesOf(run: string): CommandFiles;
  libc: Libc | undefined;
  cgroup: Cgroup | undefined;
  watchdog: Watchdog | undefined;
  reaper: Reaper | undefined;
  /** Arguments for `ulimit`. */
  rlimits: readonly string[];
  /** Bytes of one file, which these limit. */
  fileSize: number | undefined;
  /** Checks the limits that the kernel does not enforce. */
  limitMonitor: LimitMonitor;
  commandLimits: CommandLimits;
  /** The limits that hold and by what means, for people. */
  limitsText: string;
}

/** Opens the resources of a process's shells, with the first command of any of them. */
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

  /** A number that no other command of these resources has. */
  nextRun(): string {
    return String(++this.#count);
  }

  [Symbol.dispose](): void {
    void this.#opened?.then((opened) => opened.ok && opened.value[Symbol.dispose]());
  }
}

async function openResources(options: ShellRuntimeOptions): Promise<Result<ShellResources, "spawn">> {
  const { env, configured } = options;
  const shell = findShell({ platform: process.platform, env, configured, exists: existsSync });
  if (!shell) return fail("spawn", "There is no shell on this machine: neither bash nor sh was found");
  if (!existsSync(shell.path)) return fail("spawn", `The shell could not be started: ${shell.path} does not exist`);
  try {
    return ok(await makeResources(shell, options));
  } catch (thrown) {
    return fail("spawn", `The shell could not be started: ${messageOf(thrown)}`);
  }
}

async function makeResources(shell: ShellProgram, { env, limits }: ShellRuntimeOptions): Promise<ShellResources> {
  const command = { ...defaultLimits, ...limits.command };
  const id = crypto.randomUUID().slice(0, 13);
  const folders = new SessionFolders(id);
  const groups = cgroupPaths(ownName(id));
  // The watchdog runs before there is anything to leave behind.
  const watchdog = startWatchdog({ groups, folders: folders.all, variable: `${cookieName}=${id}`, env });
  const folder = folders.make("commands");
  const libc = await openLibc();
  libc?.adoptOrphans();
  const reaper = libc && new Reaper(libc.reap);
  const cgroup = openCgroup(groups, { ...command, ...limits.session });
  const probe = cgroup?.child("probe", command);
  const enforced = probe?.enforced ?? [];
  probe?.remove();
  const watched = {
    memory: enforced.includes("memory") ? undefined : command.memory,
    processes: enforced.includes("processes") ? undefined : command.processes,
  };
  const remove = () => folders.remove();
  const stay = atExit(remove);
  return {
    shell,
    folder,
    diskReserve: folders.isInMemory ? undefined : new DiskReserve(folder),
    spillFolder: () => folders.make("spill"),
    sandboxFolder: () => folders.make("sandbox"),
    keepSandboxFor: (pid) => folders.keepSandboxFor(pid),
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
    watchdog,
    reaper,
    commandLimits: command,
    fileSize: limits.fileSize,
    rlimits: rlimits(shell, limits, watched.processes),
    limitMonitor: new LimitMonitor({ ...watched, freeDisk: limits.freeDisk ?? defaultFreeDisk }),
    limitsText: cgroup && enforced.length > 0 ? `${enforced.join(" and ")} by control group` : "watched",
    [Symbol.dispose]() {
      stay();
      reaper?.[Symbol.dispose]();
      folders.handOn();
      watchdog?.[Symbol.dispose]();
      remove();
      // A process that was just killed may still be in it; then the watchdog removes it.
      cgroup?.remove();
    },
  };
}

/** The directories of a session. Their names are known: one that exists and is not ours was put there by somebody else. */
class SessionFolders {
  readonly isInMemory: boolean;
  readonly #paths: Readonly<Record<"commands" | "spill" | "sandbox", string>>;
  readonly #made = new Set<string>();
  /** Processes in a sandbox that go on without us. */
  readonly #heirs: number[] = [];
  readonly #id: string;

  constructor(id: string) {
    const disk = [tmpdir(), "/tmp"].find(isWritable) ?? tmpdir();
    const memory = memoryFolder();
    const name = ownName(id);
    this.#id = id;
    this.isInMemory = memory !== undefined;
    // In a sandbox `/tmp` is another directory, which must not lie in itself.
    const sandbox = join(persistentTemp(), name);
    this.#paths = { commands: join(memory ?? disk, name), spill: join(disk, name), sandbox };
  }

  get all(): string[] {
    return Object.values(this.#paths);
  }

  make(which: "commands" | "spill" | "sandbox"): string {
    const path = this.#paths[which];
    if (!this.#made.has(path)) mkdirSync(path, { mode: 0o700 });
    this.#made.add(path);
    return path;
  }

  keepSandboxFor(pid: number): void {
    this.#heirs.push(pid);
  }

  /** Names the sandbox directory after a process that goes on in it; the next session removes it after that one. */
  handOn(): void {
    const { sandbox } = this.#paths;
    const heir = this.#heirs.find((pid) => succeeds(() => process.kill(pid, 0)));
    if (heir === undefined || !this.#made.delete(sandbox)) return;
    tryOr(() => renameSync(sandbox, join(persistentTemp(), ownName(this.#id, heir))));
  }

  remove(): void {
    this.handOn();
    for (const path of this.#made) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * The name of a directory outside of the session. It tells the process it belongs to, and the PID namespace in which
 * that number counts, so that other sessions can remove it when that process is gone.
 */
export const ownName = (id: string, pid = process.pid): string => `pith-shell-${pidNamespace()}.${pid}-${id}`;

const pidNamespace = (): string => tryOr(() => readlinkSync("/proc/self/ns/pid").replace(/\D/g, ""), "") || "0";

/** A place for directories that is not in `/tmp`, if there is one. */
export const persistentTemp = (): string => ["/var/tmp", tmpdir()].find(isWritable) ?? "/tmp";

/** Memory, where files that live for a millisecond cost a tenth; in some containers it is tiny. */
const memoryFolder = (): string | undefined =>
  process.platform === "linux" && isWritable("/dev/shm") && freeDisk("/dev/shm") > leastInMemory
    ? "/dev/shm"
    : undefined;

const leastInMemory = 32 * 1024 * 1024;

const isWritable = (path: string): boolean => succeeds(() => accessSync(path, constants.W_OK | constants.X_OK));

const defaultLimits: CommandLimits = { memory: Math.floor(totalmem() * 0.8), processes: 4096 };
const defaultFreeDisk = 256 * 1024 * 1024;

/** The limit of processes counts all of a user's, and does not bind root: there it is left out. */
function rlimits(shell: ShellProgram, { fileSize }: ShellLimits, count: number | undefined): string[] {
  const block = shell.dialect === "bash" ? 1024 : 512;
  return [
    "-c 0",
    ...(fileSize === undefined ? [] : [`-f ${Math.ceil(fileSize / block)}`]),
    ...(count === undefined || process.getuid?.() === 0 ? [] : [`-u ${processes().length + count}`]),
  ];
}
