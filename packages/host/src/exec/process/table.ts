import { readdirSync, readFileSync } from "node:fs";

export interface ProcessInfo {
  pid: number;
  group: number;
  state: string;
}

/** The process table; empty where there is no /proc. */
export const processes = (): ProcessInfo[] => pids().flatMap(look);

/** Our own children, those that we adopted among them. */
export const children = (): ProcessInfo[] => childrenOf(process.pid);

export const childrenOf = (pid: number): ProcessInfo[] =>
  read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number).flatMap(look);

/** Whether a process carries this variable since it was started. */
export const hasVariable = (pid: number, variable: string): boolean =>
  `\0${read(`/proc/${pid}/environ`)}`.includes(`\0${variable}\0`);

function look(pid: number): ProcessInfo[] {
  const stat = read(`/proc/${pid}/stat`);
  // pid (name) state parent group …; the name may hold anything, even a parenthesis.
  const [state = "", , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return stat === "" ? [] : [{ pid, state, group: Number(group) }];
}

function pids(): number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
