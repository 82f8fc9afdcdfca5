import { openFfi } from "../../platform.ts";

export interface Pipe {
  read: number;
  write: number;
}

/** Calls of the C library that the runtime does not offer. */
export interface Libc {
  /**
   * A real pipe. The runtime connects a child by sockets, with two faults: `> /dev/stderr` fails in the child, and the
   * order between stdout and stderr is lost. A long pipe has a larger buffer, so that a writer waits less.
   */
  openPipe(buffer: "short" | "long"): Pipe | undefined;
  /** Makes orphans among our descendants our children, so that they can be seen and leave no zombies. */
  adoptOrphans(): void;
  /** Takes the exit status of a dead child. */
  reap(pid: number): void;
}

/** Undefined if the C library has not its usual name (glibc), and on Node. */
export async function openLibc(): Promise<Libc | undefined> {
  const ffi = process.platform === "linux" ? openFfi() : undefined;
  if (!ffi) return undefined;
  try {
    const { symbols } = ffi.dlopen("libc.so.6", {
      pipe2: { args: ["ptr", "i32"], returns: "i32" },
      fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
      prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
      waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
    });
    return {
      openPipe(buffer) {
        const ends = new Int32Array(2);
        const failed = symbols.pipe2(ends, closeOnExec);
        const [read, write] = ends;
        if (failed || read === undefined || write === undefined) return undefined;
        if (buffer === "long") symbols.fcntl(read, setPipeSize, pipeSize);
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
