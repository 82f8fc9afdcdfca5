import { readlinkSync } from "node:fs";

/**
 * A shell that was told a moment ago may still have to enter its control group and to read its orders, both of which
 * are gone when we are. Once the command runs, we are no longer what it reads from.
 */
export function untilBegun(pid: number): void {
  for (let round = 0; round < 500 && /^(?:pipe|socket):/.test(inputOf(pid)); round++) Atomics.wait(nothing, 0, 0, 2);
}

/** Waiting for it to change is to sleep. */
const nothing = new Int32Array(new SharedArrayBuffer(4));

function inputOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/0`);
  } catch {
    return "";
  }
}
