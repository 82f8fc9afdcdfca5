export interface ProcessInfo {
  pid: number;
  group: number;
  state: string;
}

/** The processes of this machine, as far as the system tells of them. */
export interface ProcessTable {
  all(): ProcessInfo[];
  childrenOf(pid: number): ProcessInfo[];
  /** True for a process that was started with `NAME=value` in its environment. */
  hasVariable(pid: number, variable: string): boolean;
  residentBytes(pid: number): number;
  /** Resident bytes without the files that the process has mapped. */
  privateBytes(pid: number): number;
}
