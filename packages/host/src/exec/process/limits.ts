import { readFileSync, statfsSync } from "node:fs";

/** What one command may use. Absent is without limit. */
export interface CommandLimits {
  /** Bytes. */
  memory?: number;
  processes?: number;
}

/** Limits that are not the kernel's to hold: what is beyond is seen a moment later and ended. */
export interface MonitoredLimits extends CommandLimits {
  /** Bytes that must stay free where the command writes. */
  freeDisk?: number;
}

export interface LimitBreach {
  what: "memory" | "processes" | "disk" | "output" | "file size";
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

export const residentBytes = (pid: number): number => pagesOf(pid).resident * 4096;

/** Without the files that it has mapped. */
export function heapBytes(pid: number): number {
  const { resident, shared } = pagesOf(pid);
  return (resident - shared) * 4096;
}

function pagesOf(pid: number): { resident: number; shared: number } {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ").map(Number);
    return { resident: resident ?? 0, shared: shared ?? 0 };
  } catch {
    return { resident: 0, shared: 0 };
  }
}
