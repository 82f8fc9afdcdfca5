import { closeSync, fstatSync, readFileSync, readSync, type Stats } from "node:fs";
import { closing, type Fail, fail, formatBytes, ok, type Result, tryOr } from "@pith/kit";
import { type FsKind, fsFailure } from "./failure.ts";
import type { Look } from "./hold/held.ts";
import { openReal, statReal } from "./hold/hold.ts";
import { rawPath } from "./raw.ts";

export interface Opened {
  fd: number;
  stat: Stats;
}

/** Opens a regular file by its real path: no link is followed, and no FIFO or device, which could wait or act. */
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

/** Reads all bytes of a file that must be in memory to be changed. */
export function readWhole(path: string, maxBytes = 64 * 1024 * 1024): Result<Whole, FsKind> {
  const opened = openFile(path);
  if (!opened.ok) return opened;
  const { fd, stat } = opened.value;
  using _ = closing(fd);
  if (stat.size > maxBytes) return tooLarge(path, stat.size, maxBytes);
  try {
    return ok({ bytes: readFileSync(fd), stat });
  } catch (thrown) {
    return fsFailure(path, thrown);
  }
}

export const tooLarge = (path: string, size: number, maxBytes: number): Fail<"large"> =>
  fail("large", `${path}: ${formatBytes(size)} is more than the ${formatBytes(maxBytes)} that can be changed at once`);

/** Some bytes of a file, fewer where it ends; undefined where it cannot be read. */
export function readPart(path: string, from: number, count: number): Buffer | undefined {
  const opened = openFile(path);
  if (!opened.ok) return undefined;
  const { fd } = opened.value;
  using _ = closing(fd);
  const bytes = Buffer.alloc(count);
  return tryOr(() => bytes.subarray(0, readSync(fd, bytes, 0, count, from)));
}

/** The failure for something that is no regular file. */
export function irregular(path: string, stat: Tested): Fail<FsKind> | undefined {
  if (stat.isFile()) return undefined;
  return stat.isDirectory()
    ? fail("directory", `${path}: is a directory`)
    : fail("special", `${path}: is a ${specialName(stat)}, not a regular file`);
}

type Tested = Pick<Look, "isFile" | "isDirectory" | "isFIFO" | "isSocket">;

const specialName = (stat: Tested): string => (stat.isFIFO() ? "named pipe" : stat.isSocket() ? "socket" : "device");
