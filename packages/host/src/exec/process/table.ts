import { readdirSync, readFileSync } from "node:fs";
import { tryOr } from "@pith/kit";

export interface ProcessInfo {
  pid: number;
  group: number;
  state: string;
}

/** The text of a file that the kernel makes; empty if it is gone or closed to us. */
export const kernelText = (file: string): string => tryOr(() => readFileSync(file, "latin1"), "");

/** The process table; empty where there is no /proc. */
export const processes = (): ProcessInfo[] =>
  tryOr(() => readdirSync("/proc"), []).flatMap((name) => (/^\d+$/.test(name) ? infoOf(Number(name)) : []));

/** The children of this process, adopted orphans included. */
export const ownChildren = (): ProcessInfo[] => childrenOf(process.pid);

export const childrenOf = (pid: number): ProcessInfo[] =>
  kernelText(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number).flatMap(infoOf);

/** True for a process that was started with `NAME=value` in its environment. */
export const hasVariable = (pid: number, variable: string): boolean =>
  `\0${kernelText(`/proc/${pid}/environ`)}`.includes(`\0${variable}\0`);

function infoOf(pid: number): ProcessInfo[] {
  const stat = kernelText(`/proc/${pid}/stat`);
  // pid (name) state parent group …; the name may hold anything, even a parenthesis.
  const [state = "", , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? [] : [{ pid, state, group: Number(group) }];
}
