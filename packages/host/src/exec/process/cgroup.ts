import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { succeeds, tryOr, unescapeMount } from "@pith/kit";
import type { CommandLimits } from "./limits.ts";
import { kernelText } from "./table.ts";

/** The directories that a group of this name would have, below those of our own process. */
export const cgroupPaths = (name: string, read = (file: string) => readFileSync(file, "utf8")): string[] =>
  tryOr(() => cgroupHomes(read("/proc/self/mountinfo"), read("/proc/self/cgroup")).map((home) => join(home, name)), []);

/** Makes a group in version 2, to end all of it, and in version 1 for the limits that version 2 does not have here. */
export function openCgroup(paths: readonly string[], limits: CommandLimits): Cgroup | undefined {
  const dirs = paths.filter(make);
  return dirs.length === 0 ? undefined : new Cgroup(dirs, limits);
}

/** The directories of our own process: in version 2, and in the two hierarchies of version 1 that limit. */
export function cgroupHomes(mounts: string, memberships: string): string[] {
  const rows = memberships.split("\n").map((line) => /^\d+:([^:]*):(.*)$/.exec(line));
  return mounts.split("\n").flatMap((line) => {
    const [before, after] = line.split(" - ");
    const [type, , options = ""] = after?.split(" ") ?? [];
    const [, , , root = "/", point = ""] = before?.split(" ") ?? [];
    const limiting = ["pids", "memory"].filter((controller) => options.split(",").includes(controller));
    const wanted = type === "cgroup2" ? [""] : type === "cgroup" ? limiting : [];
    const path = rows.find((row) => (row?.[1] ?? "-").split(",").some((name) => wanted.includes(name)))?.[2];
    if (path === undefined || path.includes("..")) return [];
    return [join(unescapeMount(point), root !== "/" && path.startsWith(root) ? path.slice(root.length) : path)];
  });
}

/** The files that a group has of those we use, by directory. Sibling groups have the same. */
type GroupFiles = readonly ReadonlySet<string>[];

/** A control group of ours: contains every process that was started in it, however far it went from its parents. */
export class Cgroup {
  /** A process joins by writing 0 into each of these files. */
  readonly procsFiles: readonly string[];
  /** The limits that the kernel enforces here. */
  readonly enforced: readonly (keyof CommandLimits)[];
  readonly #dirs: readonly string[];
  readonly #files: GroupFiles;
  readonly #counters: { file: string; line: RegExp; what: "memory" | "processes"; seen: number }[];
  #childFiles: GroupFiles | undefined;

  constructor(dirs: readonly string[], limits: CommandLimits, files: GroupFiles = filesOf(dirs)) {
    this.#dirs = dirs;
    this.#files = files;
    this.procsFiles = dirs.map((dir) => join(dir, "cgroup.procs"));
    this.enforced = dirs.flatMap((dir, at) => limit(dir, limits, files[at] ?? new Set()));
    this.#counters = limitEvents.flatMap(([name, line, what]) =>
      this.#paths(name).map((file) => ({ file, line, what, seen: 0 })),
    );
  }

  members(): number[] {
    return [...new Set(this.#dirs.flatMap(withChildren).flatMap(pidsIn))];
  }

  /** True if no process is in it; cheaper than `members`. */
  empty(): boolean {
    // A process is in all of the directories or in none; version 2 answers for the groups below too.
    const [events] = this.#paths("cgroup.events");
    const [procs = ""] = this.procsFiles;
    return events === undefined ? kernelText(procs) === "" : /^populated 0/m.test(kernelText(events));
  }

  kill(): void {
    for (const file of this.#paths("cgroup.kill")) tryOr(() => writeFileSync(file, "1"));
    for (const pid of this.members()) tryOr(() => process.kill(pid, "SIGKILL"));
  }

  /** The limit that was hit since the last call. */
  takeHit(): "memory" | "processes" | undefined {
    let hit: "memory" | "processes" | undefined;
    for (const counter of this.#counters) {
      const count = Number(counter.line.exec(kernelText(counter.file))?.[1] ?? 0);
      if (count > counter.seen) hit ??= counter.what;
      counter.seen = count;
    }
    return hit;
  }

  child(name: string, limits: CommandLimits): Cgroup {
    const made = this.#dirs.map((dir) => join(dir, name)).filter(make);
    if (made.length !== this.#dirs.length) return new Cgroup(made, limits);
    this.#childFiles ??= filesOf(made);
    return new Cgroup(made, limits, this.#childFiles);
  }

  /** Moves processes out, to the group of our own process. */
  moveOut(pids: readonly number[]): void {
    for (const dir of this.#dirs)
      for (const pid of pids) tryOr(() => writeFileSync(join(dir, "..", "cgroup.procs"), String(pid)));
  }

  /** Removes the group, unless a process is in it. */
  remove(): "removed" | "busy" {
    const dirs = this.#dirs.flatMap(withChildren).reverse();
    return dirs.map((dir) => succeeds(() => rmdirSync(dir))).includes(false) ? "busy" : "removed";
  }

  #paths(file: string): string[] {
    return this.#dirs.filter((_, at) => this.#files[at]?.has(file)).map((dir) => join(dir, file));
  }
}

const make = (dir: string): boolean => succeeds(() => mkdirSync(dir));

const filesOf = (dirs: readonly string[]): GroupFiles =>
  dirs.map((dir) => new Set(used.filter((file) => existsSync(join(dir, file)))));

/** The files in which the kernel counts how often a limit was hit. */
const limitEvents = [
  ["memory.events", /^oom_kill (\d+)/m, "memory"],
  ["memory.oom_control", /^oom_kill (\d+)/m, "memory"],
  ["pids.events", /^max (\d+)/m, "processes"],
] as const;

const used = [
  ...limitEvents.map(([file]) => file),
  ..."memory.max memory.limit_in_bytes memory.swap.max memory.memsw.limit_in_bytes pids.max".split(" "),
  ...["cgroup.events", "cgroup.kill"],
];

/** Sets the limits that this hierarchy knows, and returns them. */
function limit(dir: string, { memory, processes }: CommandLimits, files: ReadonlySet<string>): (keyof CommandLimits)[] {
  const set = (file: string, value: number | undefined) =>
    value !== undefined && files.has(file) && succeeds(() => writeFileSync(join(dir, file), String(value)));
  const enforced: (keyof CommandLimits)[] = [];
  if (set("memory.max", memory) || set("memory.limit_in_bytes", memory)) {
    enforced.push("memory");
    // Without these the kernel would only push the rest into swap.
    set("memory.swap.max", 0);
    set("memory.memsw.limit_in_bytes", memory);
  }
  if (set("pids.max", processes)) enforced.push("processes");
  return enforced;
}

/** A group's directory and those of the groups below it; none if it is gone. */
const withChildren = (dir: string): string[] =>
  tryOr(() => {
    const entries = readdirSync(dir, { withFileTypes: true });
    return [dir, ...entries.flatMap((entry) => (entry.isDirectory() ? withChildren(join(dir, entry.name)) : []))];
  }, []);

const pidsIn = (dir: string): number[] => kernelText(join(dir, "cgroup.procs")).split("\n").filter(Boolean).map(Number);
