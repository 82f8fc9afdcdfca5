import { readdirSync, readFileSync } from "node:fs";
import { tryOr } from "@pith/kit";
import type { ProcessInfo, ProcessTable } from "./info.ts";

/** The text of a file that the kernel makes; empty if it is gone or closed to us. */
export const kernelText = (file: string): string => tryOr(() => readFileSync(file, "latin1"), "");

/** The process table; empty where the system tells of none. */
export const processes = (): ProcessInfo[] => table().all();

/** The children of this process, adopted orphans included. */
export const ownChildren = (): ProcessInfo[] => childrenOf(process.pid);

export const childrenOf = (pid: number): ProcessInfo[] => table().childrenOf(pid);

/** True for a process that was started with `NAME=value` in its environment. */
export const hasVariable = (pid: number, variable: string): boolean => table().hasVariable(pid, variable);

export const residentBytes = (pid: number): number => table().residentBytes(pid);

/** Resident bytes without the files that the process has mapped. */
export const privateBytes = (pid: number): number => table().privateBytes(pid);

let chosen: ProcessTable | undefined;

function table(): ProcessTable {
  chosen ??= process.platform === "darwin" ? tryOr(openMac, byProc) : byProc;
  return chosen;
}

const openMac = (): ProcessTable => {
  const { openMacTable }: typeof import("./mac-table.ts") = require("./mac-table.ts");
  return openMacTable();
};

/** Takes the place of this system's table. @internal */
export function useTable(other: ProcessTable | undefined): void {
  chosen = other;
}

/** The table of Linux; empty where there is no /proc. */
const byProc: ProcessTable = {
  all: () => tryOr(() => readdirSync("/proc"), []).flatMap((name) => (/^\d+$/.test(name) ? infoOf(Number(name)) : [])),
  childrenOf: (pid) =>
    kernelText(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number).flatMap(infoOf),
  hasVariable: (pid, variable) => `\0${kernelText(`/proc/${pid}/environ`)}`.includes(`\0${variable}\0`),
  residentBytes: (pid) => memoryOf(pid, "VmRSS"),
  privateBytes: (pid) => memoryOf(pid, "RssAnon"),
};

function infoOf(pid: number): ProcessInfo[] {
  const stat = kernelText(`/proc/${pid}/stat`);
  // pid (name) state parent group …; the name may hold anything, even a parenthesis.
  const [state = "", , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? [] : [{ pid, state, group: Number(group) }];
}

/** A field of the kernel's status of a process, in bytes; 0 if it does not tell. */
const memoryOf = (pid: number, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(kernelText(`/proc/${pid}/status`))?.[1] ?? 0) * 1024;
