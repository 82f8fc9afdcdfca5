import { formatBytes } from "@pith/kit";
import { freeDisk, type LimitBreach, type MonitoredLimits, residentBytes } from "./limits.ts";
import { hasVariable, type ProcessInfo, processes } from "./table.ts";
import type { ProcessTree } from "./tree.ts";

interface MonitoredCommand {
  tree: ProcessTree;
  cwd: string;
  stop(breach: LimitBreach): void;
}

/**
 * Looks after what the kernel does not hold: twice a second for all running commands together, and not at all while
 * none runs.
 */
export class LimitMonitor implements Disposable {
  readonly #watched: MonitoredLimits;
  readonly #all = new Set<MonitoredCommand>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Whose each process is; asked once, for it means reading a file. */
  #owners = new Map<number, MonitoredCommand | undefined>();

  constructor(watched: MonitoredLimits) {
    this.#watched = watched;
  }

  add(looked: MonitoredCommand): Disposable {
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
  #crowds(): Map<MonitoredCommand, ProcessInfo[]> {
    const groups = new Map([...this.#all].map((looked) => [looked.tree.group, looked]));
    const crowds = new Map([...this.#all].map((looked) => [looked, [] as ProcessInfo[]]));
    const before = this.#owners;
    this.#owners = new Map();
    for (const running of processes()) {
      const known = groups.get(running.group) ?? before.get(running.pid);
      const owner =
        known || before.has(running.pid)
          ? known
          : [...this.#all].find(({ tree }) => hasVariable(running.pid, tree.cookie));
      this.#owners.set(running.pid, owner);
      if (owner) crowds.get(owner)?.push(running);
    }
    return crowds;
  }
}

/** What is beyond its limit, if anything. */
export function breach(
  watched: MonitoredLimits,
  disk: { cwd: string; free: number },
  crowd: readonly ProcessInfo[],
): LimitBreach | undefined {
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
