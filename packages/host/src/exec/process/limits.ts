import { statfsSync } from "node:fs";
import { tryOr } from "@pith/kit";
import { kernelText } from "./table.ts";

/** Limits of one command; an absent one does not apply. */
export interface CommandLimits {
  /** Bytes. */
  memory?: number;
  processes?: number;
}

/** Limits that the kernel does not enforce: a command beyond one is noticed a moment later and ended. */
export interface MonitoredLimits extends CommandLimits {
  /** Bytes that must stay free where the command writes. */
  freeDisk?: number;
}

export interface LimitBreach {
  what: "memory" | "processes" | "disk" | "output" | "file size";
  /** For people. */
  text: string;
}

/** Free bytes of the disk that holds a path; infinite if the system does not tell. */
export const freeDisk = (path: string): number =>
  tryOr(() => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  }, Number.POSITIVE_INFINITY);

export const residentBytes = (pid: number): number => pagesOf(pid).resident * 4096;

/** Resident bytes without the files that the process has mapped. */
export function privateBytes(pid: number): number {
  const { resident, shared } = pagesOf(pid);
  return (resident - shared) * 4096;
}

function pagesOf(pid: number): { resident: number; shared: number } {
  const [, resident, shared] = kernelText(`/proc/${pid}/statm`).split(" ").map(Number);
  return { resident: resident ?? 0, shared: shared ?? 0 };
}
