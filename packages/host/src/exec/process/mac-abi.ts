// Numbers and structures of macOS that the process table needs. Written down from the files named; the runtime has no
// name for them, and no machine of ours has those files.

/** A number in a structure: where it stands, and its bytes. */
type Place = readonly [at: number, bytes: 4 | 8];

/** <libproc.h>, <sys/proc_info.h>, <sys/resource.h>, <sys/sysctl.h> */
export const mac = {
  library: "/usr/lib/libSystem.B.dylib",
  /** `proc_pidinfo` with PROC_PIDTBSDINFO: `struct proc_bsdinfo`. Processes that have ended are left out. */
  info: {
    flavor: 3,
    bytes: 136,
    status: [4, 4],
    pid: [12, 4],
    parent: [16, 4],
    group: [100, 4],
  },
  /** SZOMB of <sys/proc.h>. */
  zombie: 5,
  /** `proc_pid_rusage` with RUSAGE_INFO_V0: `struct rusage_info_v0`; the footprint leaves out mapped files. */
  usage: { flavor: 0, bytes: 96, resident: [64, 8], footprint: [72, 8] },
  /** `sysctl` with CTL_KERN, KERN_PROCARGS2: a count of words, the program, the words, then the environment. */
  environment: { kern: 1, arguments: 49, most: 1024 * 1024 },
} as const satisfies {
  library: string;
  info: { flavor: number; bytes: number } & Record<"status" | "pid" | "parent" | "group", Place>;
  zombie: number;
  usage: { flavor: number; bytes: number } & Record<"resident" | "footprint", Place>;
  environment: Record<"kern" | "arguments" | "most", number>;
};

/**
 * True if the block that KERN_PROCARGS2 gives holds this variable. Behind the count stand the program, zeros up to the
 * next word, as many arguments as counted, and the environment; an empty argument is a zero of its own.
 */
export function blockHolds(block: Buffer, variable: string): boolean {
  if (block.length < 4) return false;
  let at = block.indexOf(0, 4);
  while (at !== -1 && block[at] === 0) at++;
  for (let left = block.readUInt32LE(0); left > 0 && at > 0; left--) at = block.indexOf(0, at) + 1;
  if (at <= 0) return false;
  return `\0${block.toString("latin1", at)}\0`.includes(`\0${Buffer.from(variable).toString("latin1")}\0`);
}
