export interface Pipe {
  read: number;
  write: number;
}

/**
 * A real pipe. The runtime connects a child by sockets, which has two faults: `> /dev/stderr` fails in the child,
 * and the order between stdout and stderr is lost. Undefined where the C library is not found under this name.
 */
export async function openPipe(): Promise<Pipe | undefined> {
  const { dlopen } = await import("bun:ffi");
  try {
    const ends = new Int32Array(2);
    const failed = dlopen("libc.so.6", { pipe2: { args: ["ptr", "i32"], returns: "i32" } }).symbols.pipe2(ends, closeOnExec);
    const [read, write] = ends;
    return failed || read === undefined || write === undefined ? undefined : { read, write };
  } catch {
    return undefined;
  }
}

const closeOnExec = 0o2000000;
