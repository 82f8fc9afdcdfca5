import { type BigIntStats, closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { codeOf, fail, formatBytes, ok, type Result, realPath } from "@pith/kit";
import { type FsKind, faultOf, fsFailure } from "./failure.ts";
import { openReal, statReal } from "./hold.ts";
import { irregular } from "./open.ts";
import { rawPath } from "./raw.ts";

/** A path as it was asked for, and where it leads. */
interface Location {
  path: string;
  real: string;
}
/**
 * A file with all of its bytes, which are what is put back when a change fails. A class, so that it comes from the disk
 * and cannot be put together out of pieces.
 */
class ReadFile implements Location {
  readonly is = "file";
  readonly path: string;
  readonly real: string;
  readonly stat: BigIntStats;
  readonly bytes: Buffer;
  declare protected readonly fromDisk: true;

  constructor({ path, real }: Location, stat: BigIntStats, bytes: Buffer) {
    this.path = path;
    this.real = real;
    this.stat = stat;
    this.bytes = bytes;
  }
}
/** A file of which an editor shows other bytes: what is written next is written there. */
export const shownAs = (target: AnyTarget, bytes: Buffer): AnyTarget =>
  target.is === "file" ? new ReadFile(target, target.stat, bytes) : target;

/** A file whose bytes were not read: it can be replaced as a whole or removed. */
interface LargeFile extends Location {
  is: "large";
  stat: BigIntStats;
}

/**
 * What stands at a path, as it was found: what a change is made for, and what must still stand there when it is
 * written.
 */
export type Target = (Location & { is: "missing" }) | ReadFile;
export type AnyTarget = Target | LargeFile;
/** Something stands there. */
export type Standing = ReadFile | LargeFile;

const maxChanged = 64 * 1024 * 1024;

/**
 * Whoever writes later writes to this file or not at all. `real` is where the path was seen to lead, and then nothing
 * else is looked at; without it that is resolved here, once.
 */
export function findTarget(path: string, maxBytes?: number, real?: string): Result<Target, FsKind> {
  const target = findAny(path, maxBytes, real);
  if (!target.ok || target.value.is !== "large") return target as Result<Target, FsKind>;
  const size = formatBytes(Number(target.value.stat.size));
  return fail(
    "large",
    `${path}: ${size} is more than the ${formatBytes(maxBytes ?? maxChanged)} that can be changed at once`,
  );
}

/** The same for a file that will be replaced as a whole: it may have any size. */
export function findAny(path: string, maxBytes = maxChanged, real = realPath(path)): Result<AnyTarget, FsKind> {
  let fd: number | undefined;
  try {
    if (real.includes("\0")) throw faultOf("ELOOP");
    // By handles it could be made, and then nobody else could open it.
    if (Buffer.byteLength(real) > 4095) throw faultOf("ENAMETOOLONG");
    const there = lookAt(real);
    if (!there && typeof rawPath(path) !== "string")
      return fail("invalid", `${path}: a file whose name is not UTF-8 can be read, but not written; rename it first`);
    if (!there) return ok({ is: "missing", path, real });
    const obstacle = irregular(path, there);
    if (obstacle) return obstacle;
    fd = openReal(real);
    const stat = fstatSync(fd, { bigint: true });
    return (
      irregular(path, stat) ??
      ok(
        stat.size > maxBytes ? { is: "large", path, real, stat } : new ReadFile({ path, real }, stat, readFileSync(fd)),
      )
    );
  } catch (thrown) {
    return fsFailure(path, thrown);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function lookAt(real: string): BigIntStats | undefined {
  try {
    return statReal(real);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

/** Same file, same bytes; a mere touch is no change. */
export function isSame(now: BigIntStats, target: Standing, path: string): boolean {
  const old = target.stat;
  if (!now.isFile() || now.dev !== old.dev || now.ino !== old.ino || now.size !== old.size) return false;
  return (
    (now.mtimeNs === old.mtimeNs && now.ctimeNs === old.ctimeNs) ||
    (target.is === "file" && bytesAt(path).equals(target.bytes))
  );
}

function bytesAt(path: string): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
