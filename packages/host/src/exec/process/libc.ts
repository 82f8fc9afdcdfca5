import { openFfi } from "../../platform.ts";

export interface Pipe {
  read: number;
  write: number;
}

/** What the runtime does not offer of the C library. */
export interface Libc {
  /**
   * A real pipe. The runtime connects a child by sockets, which has two faults: `> /dev/stderr` fails in the child,
   * and the order between stdout and stderr is lost.
   * A long one holds more, so that who writes much into it waits less.
   */
  openPipe(holds: "short" | "long"): Pipe | undefined;
  /** Makes orphans below us our children, so that they can be seen and leave no zombies. */
  adoptOrphans(): void;
  /** Takes the exit status of a dead child that is nobody else's. */
  reap(pid: number): void;
}

/** Undefined where the C library is not found under its usual name, and on Node. */
export async function openLibc(): Promise<Libc | undefined> {
  const ffi = process.platform === "linux" ? await openFfi() : undefined;
  if (!ffi) return undefined;
  try {
    const { symbols } = ffi.dlopen("libc.so.6", {
      pipe2: { args: ["ptr", "i32"], returns: "i32" },
      fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
      prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
      waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
    });
    return {
      openPipe(holds) {
        const ends = new Int32Array(2);
        const failed = symbols.pipe2(ends, closeOnExec);
        const [read, write] = ends;
        if (failed || read === undefined || write === undefined) return undefined;
        if (holds === "long") symbols.fcntl(read, setPipeSize, pipeSize);
        return { read, write };
      },
      adoptOrphans: () => void symbols.prctl(setChildSubreaper, 1, 0, 0, 0),
      reap: (pid) => void symbols.waitpid(pid, null, noHang),
    };
  } catch {
    return undefined;
  }
}

const closeOnExec = 0o2000000;
const setPipeSize = 1031;
const pipeSize = 256 * 1024;
const setChildSubreaper = 36;
const noHang = 1;
