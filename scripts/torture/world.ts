// The machine of one program: folders, disks that can be full, a clock that can jump, and processes that can be killed.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { disks, type Writer } from "./program.ts";

/** Faults that this machine cannot make, with the reason. */
export interface Lacking {
  disks?: string;
  clock?: string;
  power?: string;
  limits?: string;
  git?: string;
}

export const insideNamespace = "PITH_TORTURE_MOUNTS";
const faketime = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
  .flatMap((folder) => [join(folder, "faketime/libfaketime.so.1"), join(folder, "libfaketime.so.1")])
  .find((file) => existsSync(file));

/** Says what this machine lacks; disks need a mount namespace, which `run.ts` starts itself in again. */
export function lacking(): Lacking {
  return {
    disks: process.env[insideNamespace] === "1" ? undefined : "no mount namespace (it needs root, unshare and mount)",
    clock: faketime ? undefined : "no faketime (apt-get install faketime)",
    power: Bun.which("strace") ? undefined : "no strace (apt-get install strace)",
    limits: Bun.which("prlimit") ? undefined : "no prlimit (apt-get install util-linux)",
    git: Bun.which("git") ? undefined : "no git (apt-get install git)",
  };
}

export type Child = Subprocess<"pipe", "pipe", "pipe">;

export class World implements Disposable {
  readonly path: string;
  readonly work: string;
  /** Pith's own folder. */
  readonly home: string;
  /** Notes every command that has run. */
  readonly ran: string;
  readonly #program: string;
  readonly #model: string;
  readonly #lacking: Lacking;
  readonly #children = new Set<Child>();
  readonly #mounts: string[] = [];

  constructor(options: { program: string; model: string; lacking: Lacking }) {
    this.#program = options.program;
    this.#model = options.model;
    this.#lacking = options.lacking;
    this.path = realpathSync(mkdtempSync(join(tmpdir(), "pith-torture-")));
    this.work = this.at("work");
    this.home = this.at("home", ".pith");
    this.ran = this.at("ran.log");
    for (const folder of ["work", "home/.pith"]) mkdirSync(this.at(folder), { recursive: true });
    if (!this.#lacking.disks) {
      this.#mount(this.home);
      for (const name of new Set(Object.values(disks)))
        if (name !== "" && name !== "tmp") this.#mount(join(this.home, name));
    }
    mkdirSync(this.at("tmp"));
    if (!this.#lacking.disks) this.#mount(this.at("tmp"));
    writeFileSync(join(this.home, "config.yml"), config, { mode: 0o600 });
    writeFileSync(this.ran, "");
    this.setClock(0);
  }

  initGit(): void {
    Bun.spawnSync(["git", "init", "-q", this.work], { env: this.env(), stdio: ["ignore", "ignore", "ignore"] });
  }

  at(...names: string[]): string {
    return join(this.path, ...names);
  }

  env(): Record<string, string> {
    const clock: Record<string, string> =
      this.#lacking.clock || !faketime
        ? {}
        : {
            LD_PRELOAD: faketime,
            FAKETIME_TIMESTAMP_FILE: this.at("clock"),
            FAKETIME_NO_CACHE: "1",
            FAKETIME_DONT_FAKE_MONOTONIC: "1",
          };
    return {
      HOME: this.at("home"),
      TMPDIR: this.at("tmp"),
      PATH: process.env.PATH ?? "",
      LANG: "C.UTF-8",
      PITH_NO_TITLE: "1",
      OPENAI_BASE_URL: this.#model,
      OPENAI_API_KEY: "key-for-torture",
      ...clock,
    };
  }

  /** Starts pith; `before` are words in front of it, such as a tracer's. */
  start(argv: readonly string[], before: readonly string[] = []): Child {
    const child = Bun.spawn([...before, this.#program, ...argv], {
      cwd: this.work,
      env: this.env(),
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    this.#children.add(child);
    void child.exited.then(() => this.#children.delete(child));
    return child;
  }

  /** The environment and place of a process at a terminal. */
  terminal(): { command: string; options: { cwd: string; env: Record<string, string> } } {
    return { command: this.#program, options: { cwd: this.work, env: { ...this.env(), TERM: "xterm-256color" } } };
  }

  /** Sets the clock of all processes this many days forward or back. */
  setClock(days: number): void {
    writeFileSync(this.at("clock"), `${days < 0 ? "" : "+"}${days}d\n`);
  }

  /** Leaves no room where this writer writes. */
  fill(writer: Writer): void {
    const place = this.#placeOf(writer);
    const used = Bun.spawnSync(["df", "--output=used", "-B1", place]).stdout.toString().trim().split("\n").at(-1);
    const bytes = Math.max(4096, Number(used));
    must("mount", "-o", `remount,size=${bytes}`, place);
  }

  /** Makes room again. */
  empty(writer: Writer): void {
    must("mount", "-o", `remount,size=${size}`, this.#placeOf(writer));
  }

  /** Makes pith's home read-only, or takes that back. */
  protect(how: "ro" | "rw"): void {
    for (const place of this.#mounts) if (place.startsWith(this.home)) must("mount", "-o", `remount,${how}`, place);
  }

  /** Processes that have to do with this world. */
  living(): number[] {
    return readdirSync("/proc").flatMap((name) => {
      const pid = Number(name);
      if (!/^\d+$/.test(name) || pid === process.pid) return [];
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, "latin1");
        return words !== "" && (words.includes(this.path) || readlinkSync(`/proc/${name}/cwd`).startsWith(this.path))
          ? [pid]
          : [];
      } catch {
        return [];
      }
    });
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill("SIGKILL");
    for (const pid of this.living()) signal(pid, "SIGKILL");
    for (const place of this.#mounts.toReversed()) Bun.spawnSync(["umount", "-l", place]);
    rmSync(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  #placeOf(writer: Writer): string {
    return writer === "temporary" ? this.at("tmp") : join(this.home, disks[writer]);
  }

  #mount(place: string): void {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    must("mount", "-t", "tmpfs", "-o", `size=${size},mode=700`, "torture", place);
    this.#mounts.push(place);
  }
}

const size = "256m";

/** Waits are short, and edits are said by text, so that the vendor needs no tags. */
const config = `retry.baseDelayMs: 20
stream.idleTimeoutMs: 1500
stream.firstEventTimeoutMs: 4000
edit.mode: replace
bash.minFreeDiskMb: 0
tools.essentialOverride: read,write,edit,bash,run_subagent
`;

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** All processes below one. */
export function childrenOf(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "latin1"))?.[1]);
      parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
    } catch {
      // It has ended.
    }
  }
  const below = (of: number): number[] => (parents.get(of) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

function must(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { stdin: "ignore" });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
}
