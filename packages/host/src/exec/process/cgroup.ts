import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "./attempt.ts";
import type { CommandLimits } from "./limits.ts";

/** A control group of ours: whoever is in it is ours, however far it went from its parents. */
export interface Cgroup {
  /** A process that writes 0 into each of these is in. */
  procsFiles: readonly string[];
  /** Which limits the kernel holds here. */
  enforced: readonly (keyof CommandLimits)[];
  members(): number[];
  /** Whether anybody is in it, without a look at all of them. */
  empty(): boolean;
  kill(): void;
  /** Which limit was met since this was asked last. */
  hit(): "memory" | "processes" | undefined;
  child(name: string, limits: CommandLimits): Cgroup;
  /** Takes processes out, to where our own process is. */
  leave(pids: readonly number[]): void;
  /** Not while somebody is in it. */
  remove(): "removed" | "busy";
}

/** Where a group of this name would stand: below our own. */
export function cgroupPaths(name: string, read = (file: string) => readFileSync(file, "utf8")): string[] {
  try {
    return homesOf(read("/proc/self/mountinfo"), read("/proc/self/cgroup")).map((home) => join(home, name));
  } catch {
    return [];
  }
}

/** A group in version 2 for ending all of it and, where version 2 has no limits, in version 1 for those. */
export function openCgroup(places: readonly string[], limits: CommandLimits): Cgroup | undefined {
  const made = places.flatMap(make);
  return made.length === 0 ? undefined : groupOf(made, limits);
}

/** Where our own process stands in version 2 and in the two hierarchies of version 1 that limit. */
export function homesOf(mounts: string, memberships: string): string[] {
  const rows = memberships.split("\n").map((line) => /^\d+:([^:]*):(.*)$/.exec(line));
  return mounts.split("\n").flatMap((line) => {
    const [before, after] = line.split(" - ");
    const [type, , options = ""] = after?.split(" ") ?? [];
    const [, , , root = "/", point = ""] = before?.split(" ") ?? [];
    const wanted =
      type === "cgroup2"
        ? [""]
        : type === "cgroup"
          ? ["pids", "memory"].filter((controller) => options.split(",").includes(controller))
          : [];
    const row =
      wanted.length === 0
        ? undefined
        : rows.find((row) => row && (row[1] ?? "").split(",").some((controller) => wanted.includes(controller)));
    const path = row?.[2];
    if (path === undefined || path.includes("..")) return [];
    return [join(unescaped(point), root !== "/" && path.startsWith(root) ? path.slice(root.length) : path)];
  });
}

const unescaped = (path: string): string =>
  path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

function make(dir: string): string[] {
  try {
    mkdirSync(dir);
    return [dir];
  } catch {
    return [];
  }
}

/** Which of the files that we use a group has, by its directory; groups beside each other have the same. */
type Shape = readonly ReadonlySet<string>[];

const shapeOf = (dirs: readonly string[]): Shape =>
  dirs.map((dir) => new Set(used.filter((file) => existsSync(join(dir, file)))));

function groupOf(dirs: readonly string[], limits: CommandLimits, shape: Shape = shapeOf(dirs)): Cgroup {
  const having = (file: string) => dirs.filter((_, at) => shape[at]?.has(file)).map((dir) => join(dir, file));
  const holds = dirs.flatMap((dir, at) => limit(dir, limits, shape[at] ?? new Set()));
  const [first = ""] = dirs;
  const [second] = having("cgroup.events");
  const counters = events.flatMap(([name, line, what]) => having(name).map((file) => ({ file, line, what, seen: 0 })));
  let inner: Shape | undefined;
  const members = () => [...new Set(dirs.flatMap(below).flatMap((dir) => numbers(join(dir, "cgroup.procs"))))];
  return {
    procsFiles: dirs.map((dir) => join(dir, "cgroup.procs")),
    enforced: holds,
    members,
    // Whoever is in one of them is in all; version 2 says it in one word, groups below included.
    empty: () => (second === undefined ? text(join(first, "cgroup.procs")) === "" : /^populated 0/m.test(text(second))),
    kill() {
      for (const file of having("cgroup.kill")) attempt(() => writeFileSync(file, "1"));
      for (const pid of members()) attempt(() => process.kill(pid, "SIGKILL"));
    },
    hit() {
      let met: "memory" | "processes" | undefined;
      for (const counter of counters) {
        const count = Number(counter.line.exec(text(counter.file))?.[1] ?? 0);
        if (count > counter.seen) met ??= counter.what;
        counter.seen = count;
      }
      return met;
    },
    child(name, limits) {
      const made = dirs.flatMap((dir) => make(join(dir, name)));
      if (made.length === dirs.length) inner ??= shapeOf(made);
      return groupOf(made, limits, made.length === dirs.length ? inner : undefined);
    },
    leave(pids) {
      for (const dir of dirs)
        for (const pid of pids) attempt(() => writeFileSync(join(dir, "..", "cgroup.procs"), String(pid)));
    },
    remove: () =>
      dirs
        .flatMap(below)
        .reverse()
        .map((dir) => attempt(() => rmdirSync(dir)))
        .includes(false)
        ? "busy"
        : "removed",
  };
}

/** Where the kernel counts how often a limit was met. */
const events = [
  ["memory.events", /^oom_kill (\d+)/m, "memory"],
  ["memory.oom_control", /^oom_kill (\d+)/m, "memory"],
  ["pids.events", /^max (\d+)/m, "processes"],
] as const;

const used = [
  ...events.map(([file]) => file),
  ..."memory.max memory.limit_in_bytes memory.swap.max memory.memsw.limit_in_bytes pids.max".split(" "),
  ...["cgroup.events", "cgroup.kill"],
];

/** Sets what this hierarchy can limit, and says what that was. */
function limit(dir: string, { memory, processes }: CommandLimits, has: ReadonlySet<string>): (keyof CommandLimits)[] {
  const set = (file: string, value: number | undefined) =>
    value !== undefined && has.has(file) && attempt(() => writeFileSync(join(dir, file), String(value)));
  const held: (keyof CommandLimits)[] = [];
  if (set("memory.max", memory) || set("memory.limit_in_bytes", memory)) {
    held.push("memory");
    // Without this the limit would only push the rest into swap.
    for (const [file, value] of [["memory.swap.max", 0] as const, ["memory.memsw.limit_in_bytes", memory] as const])
      set(file, value);
  }
  if (set("pids.max", processes)) held.push("processes");
  return held;
}

function below(dir: string): string[] {
  try {
    return [
      dir,
      ...readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? below(join(dir, entry.name)) : [],
      ),
    ];
  } catch {
    return [];
  }
}

const numbers = (file: string): number[] => text(file).split("\n").filter(Boolean).map(Number);

function text(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
