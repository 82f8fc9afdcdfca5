import { formatBytes } from "@pith/kit";
import { type Breach, freeDisk, residentBytes, type Watched } from "./limits.ts";
import { carries, type Process, processes } from "./table.ts";
import type { Tree } from "./tree.ts";

interface Looked {
  tree: Tree;
  cwd: string;
  stop(breach: Breach): void;
}

/**
 * Looks after what the kernel does not hold: twice a second for all running commands together, and not at all while
 * none runs.
 */
export class Lookout implements Disposable {
  readonly #watched: Watched;
  readonly #all = new Set<Looked>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Whose each process is; asked once, for it means reading a file. */
  #owners = new Map<number, Looked | undefined>();

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  add(looked: Looked): Disposable {
    this.#all.add(looked);
    this.#timer ??= setInterval(() => this.#look(), lookMs);
    return {
      [Symbol.dispose]: () => {
        this.#all.delete(looked);
        if (this.#all.size === 0) this[Symbol.dispose]();
      },
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const { memory, processes: most } = this.#watched;
    const crowds = memory === undefined && most === undefined ? undefined : this.#crowds();
    const free = new Map<string, number>();
    for (const looked of this.#all) {
      if (!free.has(looked.cwd)) free.set(looked.cwd, freeDisk(looked.cwd));
      const broken = breach(
        this.#watched,
        { cwd: looked.cwd, free: free.get(looked.cwd) ?? 0 },
        crowds?.get(looked) ?? [],
      );
      if (broken) looked.stop(broken);
    }
  }

  /** The processes of each: those of its group, and those that left that and still carry its cookie. */
  #crowds(): Map<Looked, Process[]> {
    const groups = new Map([...this.#all].map((looked) => [looked.tree.group, looked]));
    const crowds = new Map([...this.#all].map((looked) => [looked, [] as Process[]]));
    const before = this.#owners;
    this.#owners = new Map();
    for (const running of processes()) {
      const known = groups.get(running.group) ?? before.get(running.pid);
      const owner =
        known || before.has(running.pid) ? known : [...this.#all].find(({ tree }) => carries(running.pid, tree.cookie));
      this.#owners.set(running.pid, owner);
      if (owner) crowds.get(owner)?.push(running);
    }
    return crowds;
  }
}

/** What is beyond its limit, if anything. */
export function breach(
  watched: Watched,
  disk: { cwd: string; free: number },
  crowd: readonly Process[],
): Breach | undefined {
  if (watched.freeDisk !== undefined && disk.free < watched.freeDisk) {
    return { what: "disk", text: `less than ${formatBytes(watched.freeDisk)} is free on the disk of ${disk.cwd}` };
  }
  if (watched.processes !== undefined && crowd.length > watched.processes)
    return { what: "processes", text: `more than ${watched.processes} processes` };
  if (watched.memory === undefined) return undefined;
  const used = crowd.reduce((sum, { pid }) => sum + residentBytes(pid), 0);
  return used > watched.memory
    ? { what: "memory", text: `more than ${formatBytes(watched.memory)} of memory` }
    : undefined;
}

const lookMs = 500;
