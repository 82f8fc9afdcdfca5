import { readFileSync, statfsSync } from "node:fs";
import { formatBytes } from "@pith/kit";
import type { Process } from "./process.ts";

/** What one command may use. Absent is without limit. */
export interface Limits {
  /** Bytes. */
  memory?: number;
  processes?: number;
}

/** Limits that are not the kernel's to hold: what is beyond is seen a moment later and ended. */
export interface Watched extends Limits {
  /** Bytes that must stay free where the command writes. */
  freeDisk?: number;
}

export interface Breach {
  what: "memory" | "processes" | "disk" | "output";
  /** For people. */
  text: string;
}

/** Looks once. */
export function breach(watched: Watched, cwd: string, processes: () => readonly Process[]): Breach | undefined {
  if (watched.freeDisk !== undefined && freeDisk(cwd) < watched.freeDisk) {
    return { what: "disk", text: `less than ${formatBytes(watched.freeDisk)} is free on the disk of ${cwd}` };
  }
  if (watched.memory === undefined && watched.processes === undefined) return undefined;
  const all = processes();
  if (watched.processes !== undefined && all.length > watched.processes) return { what: "processes", text: `more than ${watched.processes} processes` };
  const used = watched.memory === undefined ? 0 : all.reduce((sum, { pid }) => sum + residentBytes(pid), 0);
  return used > (watched.memory ?? 0) && watched.memory !== undefined
    ? { what: "memory", text: `more than ${formatBytes(watched.memory)} of memory` }
    : undefined;
}

function freeDisk(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * 4096;
  } catch {
    return 0;
  }
}
