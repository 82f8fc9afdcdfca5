import { accessSync, constants, existsSync, mkdirSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import type { Env } from "../env.ts";
import { atExit } from "../process/at-exit.ts";
import { attempt } from "../process/attempt.ts";
import { type Cgroup, cgroupPlaces, openCgroup } from "../process/cgroup.ts";
import { type Libc, openLibc } from "../process/libc.ts";
import { Lookout } from "../process/limit-monitor.ts";
import { freeDisk, type Limits } from "../process/limits.ts";
import { Reaper } from "../process/reaper.ts";
import { processes } from "../process/table.ts";
import { type Watcher, watch } from "../process/watchdog.ts";
import { Ballast } from "./disk-reserve.ts";
import { type Found, findShell } from "./find.ts";
import { cookieName, isName, type Passage } from "./script.ts";

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
  /** For the small files of every command. */
  folder: string;
  /** A folder on a disk, for long outputs. */
  spill(): string;
  /** Only where commands can fill the disk that `folder` stands on. */
  ballast: Ballast | undefined;
  /** Another, for what commands behind a wall have of their own. */
  den(): string;
  /** Somebody behind a wall goes on without us, in that folder. */
  letGo(pid: number): void;
  /** What no shell can hold as a variable of its own, and hands on all the same. */
  env: Readonly<Record<string, string>>;
  /** The cookie of all commands, before the dot. */
  cookie: string;
  /** What a command of this name is known by, and its files. */
  passage(run: string): Passage;
  libc: Libc | undefined;
  cgroup: Cgroup | undefined;
  watcher: Watcher | undefined;
  reaper: Reaper | undefined;
  /** Settings for `ulimit`. */
  rlimits: readonly string[];
  /** Bytes of one file, which they hold. */
  fileSize: number | undefined;
  /** Looks after what the kernel does not hold. */
  lookout: Lookout;
  command: Limits;
  /** Which limits hold and by what means, for people. */
  held: string;
}

export interface GroundOptions {
  env: Env;
  configured: string | undefined;
  limits: ShellLimits;
}

/** One ground for all shells of a process; opened by the first command of any of them. */
export class ShellGround implements Disposable {
  readonly #options: GroundOptions;
  #opened: Promise<Result<Ground, "spawn">> | undefined;
  #count = 0;

  constructor(options: GroundOptions) {
    this.#options = options;
  }

  open(): Promise<Result<Ground, "spawn">> {
    this.#opened ??= openGround(this.#options);
    return this.#opened;
  }

  /** The name of a command that no other shell on this ground has. */
  next(): string {
    return String(++this.#count);
  }

  [Symbol.dispose](): void {
    void this.#opened?.then((opened) => opened.ok && opened.value[Symbol.dispose]());
  }
}

async function openGround({ env, configured, limits }: GroundOptions): Promise<Result<Ground, "spawn">> {
  const shell = findShell({ platform: process.platform, env, configured, exists: existsSync });
  if (!shell) return fail("spawn", "There is no shell on this machine: neither bash nor sh was found");
  if (!existsSync(shell.path)) return fail("spawn", `The shell could not be started: ${shell.path} does not exist`);
  const command = { ...defaults, ...limits.command };
  const id = crypto.randomUUID().slice(0, 13);
  try {
    const disk = [tmpdir(), "/tmp"].find(isWritable) ?? tmpdir();
    // Behind a wall `/tmp` is another folder: what that is stands elsewhere, so that it does not lie in itself.
    const beside = freeFolder();
    const memory = inMemory();
    const [folder = "", spilled = "", den = ""] = [memory ?? disk, disk, beside].map((place) =>
      join(place, ownName(id)),
    );
    const places = cgroupPlaces(ownName(id));
    // The watcher stands before there is anything to leave behind.
    const watcher = watch({ groups: places, folders: [folder, spilled, den], cookie: `${cookieName}=${id}`, env });
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
    const held = holds?.holds ?? [];
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
      ballast: memory === undefined ? new Ballast(folder) : undefined,
      spill: () => make(spilled),
      den: () => make(den),
      letGo: (pid) => heirs.push(pid),
      env: Object.fromEntries(
        Object.entries(env).flatMap(([name, value]) => (value === undefined || isName(name) ? [] : [[name, value]])),
      ),
      cookie: id,
      passage: (run) => ({
        cookie: `${id}.${run}`,
        into: join(folder, `${run}.state`),
        orders: join(folder, `${run}.orders`),
      }),
      libc,
      cgroup,
      watcher,
      reaper,
      command,
      fileSize: limits.fileSize,
      rlimits: rlimits(shell, limits, held.includes("processes") ? undefined : command.processes),
      lookout: new Lookout({
        memory: held.includes("memory") ? undefined : command.memory,
        processes: held.includes("processes") ? undefined : command.processes,
        freeDisk: limits.freeDisk ?? defaultFreeDisk,
      }),
      held: cgroup && held.length > 0 ? `${held.join(" and ")} by control group` : "watched",
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
export const freeFolder = (): string => ["/var/tmp", tmpdir()].find(isWritable) ?? "/tmp";

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
