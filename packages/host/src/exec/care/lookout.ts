import { formatBytes } from "@pith/kit";
import type { Tree } from "./group.ts";
import { type Breach, freeDisk, residentBytes, type Watched } from "./limit.ts";
import { type Process, processes } from "./process.ts";

interface Looked {
  tree: Tree;
  cwd: string;
  stop(breach: Breach): void;
}

/** Looks after what the kernel does not hold: twice a second for all running commands together, and not at all while none runs. */
export class Lookout implements Disposable {
  readonly #watched: Watched;
  readonly #all = new Set<Looked>();
  #timer: ReturnType<typeof setInterval> | undefined;

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
    const table = memory === undefined && most === undefined ? [] : processes();
    const free = new Map<string, number>();
    for (const looked of this.#all) {
      if (!free.has(looked.cwd)) free.set(looked.cwd, freeDisk(looked.cwd));
      const found = breach(
        this.#watched,
        { cwd: looked.cwd, free: free.get(looked.cwd) ?? 0 },
        table.filter(({ group }) => group === looked.tree.group),
      );
      if (found) looked.stop(found);
    }
  }
}

/** What is beyond its limit, if anything. */
export function breach(watched: Watched, disk: { cwd: string; free: number }, own: readonly Process[]): Breach | undefined {
  if (watched.freeDisk !== undefined && disk.free < watched.freeDisk) {
    return { what: "disk", text: `less than ${formatBytes(watched.freeDisk)} is free on the disk of ${disk.cwd}` };
  }
  if (watched.processes !== undefined && own.length > watched.processes) return { what: "processes", text: `more than ${watched.processes} processes` };
  if (watched.memory === undefined) return undefined;
  const used = own.reduce((sum, { pid }) => sum + residentBytes(pid), 0);
  return used > watched.memory ? { what: "memory", text: `more than ${formatBytes(watched.memory)} of memory` } : undefined;
}

const lookMs = 500;
