import { readFileSync, statfsSync } from "node:fs";

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

/** Bytes; without limit where that cannot be known. */
export function freeDisk(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export function residentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * 4096;
  } catch {
    return 0;
  }
}
