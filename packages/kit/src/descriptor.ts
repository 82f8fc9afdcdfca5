import { closeSync, fstatSync, readSync, writeSync } from "node:fs";

/** Closes a file descriptor at the end of a block: `using _ = closing(fd)`. */
export const closing = (fd: number): Disposable => ({ [Symbol.dispose]: () => closeSync(fd) });

/** Bytes of a file from one place up to another, or to its end; fewer where it ends before. */
export function readRange(fd: number, from: number, to: number = fstatSync(fd).size): Buffer {
  const want = Math.max(0, to - from);
  const bytes = Buffer.allocUnsafe(want);
  let done = 0;
  for (let count = 1; count > 0 && done < want; done += count)
    count = readSync(fd, bytes, done, Math.min(want - done, 1 << 30), from + done);
  return bytes.subarray(0, done);
}

/** Writes all bytes at a place of a file, or where the last write ended. */
export function writeAll(fd: number, bytes: Uint8Array, at?: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, bytes.length - done, at === undefined ? null : at + done);
}
