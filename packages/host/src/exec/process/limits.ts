import { statfsSync } from "node:fs";
import { tryOr } from "@pith/kit";

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
  text: string;
}

/** Free bytes of the disk that holds a path; infinite if the system does not tell. */
export const freeDisk = (path: string): number =>
  tryOr(() => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  }, Number.POSITIVE_INFINITY);
