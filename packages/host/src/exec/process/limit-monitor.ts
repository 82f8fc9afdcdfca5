import { formatBytes, sumOf } from "@pith/kit";
import type { ProcessInfo } from "./info.ts";
import { freeDisk, type LimitBreach, type MonitoredLimits } from "./limits.ts";
import { hasVariable, processes, residentBytes } from "./table.ts";
import type { ProcessTree } from "./tree.ts";

interface MonitoredCommand {
  tree: ProcessTree;
  cwd: string;
  stop(breach: LimitBreach): void;
}

/** Checks the limits that the kernel does not enforce: twice a second for all running commands, never while none runs. */
export class LimitMonitor implements Disposable {
  readonly #limits: MonitoredLimits;
  readonly #commands = new Set<MonitoredCommand>();
  #timer: ReturnType<typeof setInterval> | undefined;
  /** The command of each process, remembered: to find it means to read a file. */
  #owners = new Map<number, MonitoredCommand | undefined>();

  constructor(limits: MonitoredLimits) {
    this.#limits = limits;
  }

  add(command: MonitoredCommand): Disposable {
    this.#commands.add(command);
    this.#timer ??= setInterval(() => this.#check(), checkMs);
    return {
      [Symbol.dispose]: () => {
        this.#commands.delete(command);
        if (this.#commands.size === 0) this[Symbol.dispose]();
      },
    };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    const { memory, processes: maxProcesses } = this.#limits;
    const groups = memory === undefined && maxProcesses === undefined ? undefined : this.#processesByCommand();
    const free = new Map<string, number>();
    for (const command of this.#commands) {
      const { cwd } = command;
      if (!free.has(cwd)) free.set(cwd, freeDisk(cwd));
      const breach = breachOf(this.#limits, { cwd, free: free.get(cwd) ?? 0 }, groups?.get(command) ?? []);
      if (breach) command.stop(breach);
    }
  }

  /** The processes of each command: its process group, and those that left the group but have the run's variable. */
  #processesByCommand(): Map<MonitoredCommand, ProcessInfo[]> {
    const byGroup = new Map([...this.#commands].map((command) => [command.tree.group, command]));
    const result = new Map([...this.#commands].map((command) => [command, [] as ProcessInfo[]]));
    const before = this.#owners;
    this.#owners = new Map();
    for (const running of processes()) {
      const known = byGroup.get(running.group) ?? before.get(running.pid);
      const owner =
        known || before.has(running.pid)
          ? known
          : [...this.#commands].find(({ tree }) => hasVariable(running.pid, tree.variable));
      this.#owners.set(running.pid, owner);
      if (owner) result.get(owner)?.push(running);
    }
    return result;
  }
}

/** The first limit that a command exceeds, if any. */
export function breachOf(
  limits: MonitoredLimits,
  disk: { cwd: string; free: number },
  running: readonly ProcessInfo[],
): LimitBreach | undefined {
  if (limits.freeDisk !== undefined && disk.free < limits.freeDisk)
    return { what: "disk", text: `less than ${formatBytes(limits.freeDisk)} is free on the disk of ${disk.cwd}` };
  if (limits.processes !== undefined && running.length > limits.processes)
    return { what: "processes", text: `more than ${limits.processes} processes` };
  if (limits.memory === undefined || sumOf(running, ({ pid }) => residentBytes(pid)) <= limits.memory) return undefined;
  return { what: "memory", text: `more than ${formatBytes(limits.memory)} of memory` };
}

const checkMs = 500;
