import { type BigIntStats, closeSync, fstatSync, readFileSync, readSync, type Stats } from "node:fs";
import { type Fail, fail, formatBytes, ok, type Result } from "@pith/kit";
import { type FsKind, fsFailure } from "./failure.ts";
import { openReal, statReal } from "./hold.ts";
import { rawPath } from "./raw.ts";

export interface Opened {
  fd: number;
  stat: Stats;
}

/**
 * Opens a regular file for reading, by its real path: no link is followed. Anything else is answered at once: opening a
 * FIFO or a device could wait, or act.
 */
export function openFile(path: string): Result<Opened, FsKind> {
  let fd: number | undefined;
  try {
    const raw = rawPath(path);
    const before = irregular(path, statReal(raw));
    if (before) return before;
    // The path may have become a FIFO since: without blocking, opening one returns.
    fd = openReal(raw);
    const stat = fstatSync(fd);
    const after = irregular(path, stat);
    if (after) closeSync(fd);
    return after ?? ok({ fd, stat });
  } catch (thrown) {
    if (fd !== undefined) closeSync(fd);
    return fsFailure(path, thrown);
  }
}

export interface Whole {
  bytes: Buffer;
  stat: Stats;
}

/** All bytes of a file that must be in memory to be changed. */
export function readWhole(path: string, maxBytes = 64 * 1024 * 1024): Result<Whole, FsKind> {
  const opened = openFile(path);
  if (!opened.ok) return opened;
  const { fd, stat } = opened.value;
  try {
    if (stat.size > maxBytes)
      return fail(
        "large",
        `${path}: ${formatBytes(stat.size)} is more than the ${formatBytes(maxBytes)} that can be changed at once`,
      );
    return ok({ bytes: readFileSync(fd), stat });
  } catch (thrown) {
    return fsFailure(path, thrown);
  } finally {
    closeSync(fd);
  }
}

/** Some bytes of a file, fewer where it ends; undefined where it cannot be read. */
export function readPart(path: string, from: number, count: number): Buffer | undefined {
  const opened = openFile(path);
  if (!opened.ok) return undefined;
  const bytes = Buffer.alloc(count);
  try {
    return bytes.subarray(0, readSync(opened.value.fd, bytes, 0, count, from));
  } catch {
    return undefined;
  } finally {
    closeSync(opened.value.fd);
  }
}

export function irregular(path: string, stat: Look): Fail<FsKind> | undefined {
  if (stat.isFile()) return undefined;
  return stat.isDirectory()
    ? fail("directory", `${path}: is a directory`)
    : fail("special", `${path}: is a ${specialName(stat)}, not a regular file`);
}

type Look = Pick<BigIntStats, "isFile" | "isDirectory" | "isFIFO" | "isSocket">;

function specialName(stat: Look): string {
  if (stat.isFIFO()) return "named pipe";
  return stat.isSocket() ? "socket" : "device";
}
