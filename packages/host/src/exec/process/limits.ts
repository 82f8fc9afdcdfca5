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
  text: string;
}

/** Free bytes of the disk that holds a path; infinite if the system does not tell. */
export const freeDisk = (path: string): number =>
  tryOr(() => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  }, Number.POSITIVE_INFINITY);

export const residentBytes = (pid: number): number => memoryOf(pid, "VmRSS");

/** Resident bytes without the files that the process has mapped. */
export const privateBytes = (pid: number): number => memoryOf(pid, "RssAnon");

/** A field of the kernel's status of a process, in bytes; 0 if it does not tell. */
const memoryOf = (pid: number, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(kernelText(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
