// Reading files that somebody else may have put there: a repository, a session from a stranger. No call here waits.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { closing } from "./descriptor.ts";
import { isInside, realPath } from "./path.ts";
import { codeOf, fail, messageOf, ok, type Result } from "./result.ts";
import { formatBytes } from "./text.ts";
import { tryOr } from "./value.ts";

export interface PlainFile {
  /** Longer ones are not read. */
  maxBytes: number;
  /** The directory that the file must really stand in, through whatever links. */
  within?: string;
  /** True for users whose file it may be; anybody's if absent. */
  owner?(uid: number): boolean;
}

/** The text of a file, read whole. What is no regular file (a pipe, a device) is answered at once. */
export function readPlain(
  file: string,
  { maxBytes, within, owner }: PlainFile,
): Result<string, "missing" | "outside" | "unfit"> {
  let fd: number | undefined;
  try {
    fd = opened(file, "followed");
    if (fd === undefined) return fail("missing", missing(file));
  } catch (error) {
    const code = codeOf(error);
    return fail(code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unfit", messageOf(error));
  }
  try {
    if (within !== undefined && !isOpenInside(within, file, fd, openedPath(fd)))
      return fail("outside", `leads out of ${within}`);
    if (owner && !owner(fstatSync(fd).uid)) return fail("outside", "belongs to another user");
    const bytes = readUpTo(fd, maxBytes + 1);
    return bytes.length > maxBytes ? fail("unfit", "is too large") : ok(bytes.toString("utf8"));
  } catch (error) {
    return fail("unfit", messageOf(error));
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens a regular file for reading. Throws for anything else, and with `refused` for a link: a pipe would wait for its
 * other end, a device may act.
 */
export function openPlain(file: string, links: "followed" | "refused"): number {
  const fd = opened(file, links);
  if (fd === undefined) throw Object.assign(new Error(missing(file)), { code: "ENOENT" });
  return fd;
}

/** The end of a long text, from the beginning of a line, below a word of what is before it. Undefined if unreadable. */
export function readEnd(file: string, maxBytes: number): string | undefined {
  let fd: number | undefined;
  try {
    fd = openPlain(file, "refused");
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    if (size <= maxBytes) return bytes.toString("utf8");
    return `… ${formatBytes(size - maxBytes)} before, in ${file}\n${bytes.toString("utf8", bytes.indexOf(10) + 1)}`;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/**
 * Writes a file in one step, so that a reader never finds half of it. Makes its folder; both are for their owner only
 * unless `mode` says otherwise. Throws when it cannot be written.
 */
export function writeWhole(
  file: string,
  content: string | Uint8Array,
  sync: "synced" | "later" = "later",
  mode = 0o600,
): void {
  const temp = `${file}.${crypto.randomUUID()}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(temp, content, { mode, flag: "wx", flush: sync === "synced" });
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

const missing = (file: string) => `ENOENT: no such file or directory, open '${file}'`;

/** Undefined when there is none: most files that are looked for are not there, and an error costs more than the look. */
function opened(file: string, links: "followed" | "refused"): number | undefined {
  // To open a device may already be too much.
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (!stat.isFile()) throw notFile();
  const fd = openSync(file, constants.O_RDONLY | withoutWaiting | (links === "refused" ? noLink : 0));
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw notFile();
}

/** Flags to add where a file is written that must not be a link, and must not make anybody wait. */
const noLink: number = constants.O_NOFOLLOW ?? 0;
const withoutWaiting = constants.O_NONBLOCK ?? 0;
export const plainAppend: number =
  constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | noLink | withoutWaiting;
export const plainWrite: number = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | noLink | withoutWaiting;

/** True if no link stands between a directory and a path below it; a missing path is none. */
export const isUnlinked = (root: string, below: string): boolean =>
  realPath(join(root, below)) === join(realPath(root), below);

/** The same for a directory and the last part of its name. */
export const isOwnFolder = (folder: string): boolean => isUnlinked(dirname(folder), basename(folder));

const notFile = () => Object.assign(new Error("is not a file"), { code: "ENOTFILE" });

/**
 * True if what was opened by a path lies in a directory. Where the system does not tell where a handle leads, the path
 * is resolved, and opened once more without links: both handles must be of one file. @internal
 */
export function isOpenInside(directory: string, file: string, fd: number, told: string | undefined): boolean {
  const real = told ?? realPath(file);
  if (!isInside(realPath(directory), real)) return false;
  if (told !== undefined) return true;
  const again = openSync(real, constants.O_RDONLY | withoutWaiting | noLinkOnTheWay);
  using _ = closing(again);
  const [one, other] = [fstatSync(fd), fstatSync(again)];
  return one.dev === other.dev && one.ino === other.ino;
}

/** O_NOFOLLOW_ANY of macOS refuses a link anywhere on a path; others look at its end only. */
const noLinkOnTheWay = process.platform === "darwin" ? 0x20000000 : noLink;

/** The path that a handle leads to now, where the system tells. */
const openedPath = (fd: number): string | undefined => tryOr(() => readlinkSync(`/proc/self/fd/${fd}`));

/** Reads at most `limit` bytes. The size of a file is only a hint: some of the system's own tell 0 and never end. */
function readUpTo(fd: number, limit: number): Buffer {
  const told = fstatSync(fd).size;
  let part = Buffer.allocUnsafe(Math.min(limit, told === 0 ? 64 * 1024 : told + 1));
  const parts: Buffer[] = [];
  let size = 0;
  for (let used = 0, count = 1; count > 0 && size < limit; size += count) {
    if (used === part.length) {
      parts.push(part);
      part = Buffer.allocUnsafe(Math.min(limit - size, 64 * 1024));
      used = 0;
    }
    count = readSync(fd, part, used, part.length - used, null);
    used += count;
  }
  return parts.length === 0 ? part.subarray(0, size) : Buffer.concat([...parts, part], size);
}
