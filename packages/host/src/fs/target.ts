import { closeSync, fstatSync, readFileSync } from "node:fs";
import { closing, codeOf, fail, ok, type Result, realPath } from "@pith/kit";
import { type FsKind, faultOf, fsFailure } from "./failure.ts";
import { isSameFile, type Look } from "./hold/held.ts";
import { openReal, statReal } from "./hold/hold.ts";
import { irregular, tooLarge } from "./open.ts";
import { rawPath } from "./raw.ts";

interface Location {
  /** The path as it was asked for. */
  path: string;
  /** The real path that it leads to. */
  real: string;
}

/**
 * A file with all of its bytes, which are put back when a change fails. A class, so that it comes from the disk and
 * cannot be put together out of pieces.
 */
class ReadFile implements Location {
  readonly is = "file";
  readonly path: string;
  readonly real: string;
  readonly stat: Look;
  readonly bytes: Buffer;
  declare protected readonly fromDisk: true;

  constructor({ path, real }: Location, stat: Look, bytes: Buffer) {
    this.path = path;
    this.real = real;
    this.stat = stat;
    this.bytes = bytes;
  }
}

/** The target with the bytes that an editor shows of it, which a change is then made to. */
export const shownAs = (target: AnyTarget, bytes: Buffer): AnyTarget =>
  target.is === "file" ? new ReadFile(target, target.stat, bytes) : target;

/** A file whose bytes were not read: it can be replaced as a whole or removed. */
interface LargeFile extends Location {
  is: "large";
  stat: Look;
}

/** The state of a path that a change is made for, and that must still stand there when the change is written. */
export type FileTarget = (Location & { is: "missing" }) | ReadFile;
export type AnyTarget = FileTarget | LargeFile;
export type ExistingTarget = ReadFile | LargeFile;

const maxChanged = 64 * 1024 * 1024;
const maxPath = 4095;

/** Finds and reads a file to be changed. `real` is where the path was seen to lead; it is resolved here without it. */
export function findTarget(path: string, maxBytes = maxChanged, real?: string): Result<FileTarget, FsKind> {
  const found = findAny(path, maxBytes, real);
  if (!found.ok) return found;
  return found.value.is === "large" ? tooLarge(path, Number(found.value.stat.size), maxBytes) : ok(found.value);
}

/** The same for a file that will be replaced as a whole: it may have any size. */
export function findAny(path: string, maxBytes = maxChanged, real = realPath(path)): Result<AnyTarget, FsKind> {
  let fd: number | undefined;
  try {
    if (real.includes("\0")) throw faultOf("ELOOP");
    // By handles it could be made, and then nobody else could open it.
    if (Buffer.byteLength(real) > maxPath) throw faultOf("ENAMETOOLONG");
    const there = statIfThere(real);
    if (!there && typeof rawPath(path) !== "string")
      return fail("invalid", `${path}: a file whose name is not UTF-8 can be read, but not written; rename it first`);
    if (!there) return ok({ is: "missing", path, real });
    const obstacle = irregular(path, there);
    if (obstacle) return obstacle;
    fd = openReal(real);
    const stat = fstatSync(fd, { bigint: true });
    const changed = irregular(path, stat);
    if (changed) return changed;
    if (stat.size > maxBytes) return ok({ is: "large", path, real, stat });
    return ok(new ReadFile({ path, real }, stat, readFileSync(fd)));
  } catch (thrown) {
    return fsFailure(path, thrown);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function statIfThere(real: string): Look | undefined {
  try {
    return statReal(real);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

/** True for the same file with the same bytes, which `open` gives; a mere touch is no change. */
export function isSame(now: Look, target: ExistingTarget, open: () => number): boolean {
  const old = target.stat;
  if (!now.isFile() || !isSameFile(now, old) || now.size !== old.size) return false;
  if (now.mtimeNs === old.mtimeNs && now.ctimeNs === old.ctimeNs) return true;
  return target.is === "file" && bytesOf(open()).equals(target.bytes);
}

function bytesOf(fd: number): Buffer {
  using _ = closing(fd);
  return readFileSync(fd);
}
