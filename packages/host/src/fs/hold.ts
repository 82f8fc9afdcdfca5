import {
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  rmdirSync,
  type Stats,
} from "node:fs";
import { basename, dirname } from "node:path";
import { closing, codeOf, realPath, tryOr } from "@pith/kit";
import { faultOf } from "./failure.ts";

/** A folder that is held open: names in it are reached through the handle, whatever happens to its path. */
export interface Held {
  /** The directories that had to be made, outermost first. */
  made: readonly string[];
  /** The path of a name in it, through the handle; of the folder itself for the empty name. */
  in<Name extends string | Buffer>(name: Name): Name;
  /** True if the folder still stands where it was found. */
  stands(): boolean;
  close(): void;
}

/** Opens (O_PATH, which Node has no name for) to look at a file, and to reach names in a directory that is not listed. */
export const toLook: number = 0o10000000 | constants.O_NOFOLLOW;
const toPass = toLook | constants.O_DIRECTORY;
const toRead = constants.O_RDONLY | constants.O_NOFOLLOW | (constants.O_NONBLOCK ?? 0);

let hasHandles: boolean | undefined;
/** True where names can be reached through handles, which does not change while we run. */
function handlesLead(): boolean {
  hasHandles ??= existsSync("/proc/self/fd");
  return hasHandles;
}

/**
 * Holds the folder of a real path; a link that has taken the place of a part of it is not followed. Directories that
 * are missing are made with the mode, less the user's mask; never for a path in bytes.
 */
export function holdFolder(real: string | Buffer, missing: "fails" | "is made", mode = 0o777): Held {
  if (!handlesLead()) throw faultOf("ENOSYS");
  const made: string[] = [];
  const fd = openStraight(real, toPass) ?? walk(real, missing === "is made" ? { made, mode } : undefined);
  const { dev, ino } = fstatSync(fd, { bigint: true });
  const stands = () => {
    const again = openStraight(real, toPass) ?? walk(real);
    using _ = closing(again);
    const now = fstatSync(again, { bigint: true });
    return now.dev === dev && now.ino === ino;
  };
  return { made, in: (name) => below(fd, name), stands: () => tryOr(stands, false), close: () => closeSync(fd) };
}

/** Removes the directories that were made for a file that is not there after all, up to one that is in use. */
export function removeMade(made: readonly string[]): void {
  tryOr(() => {
    for (const path of made.toReversed()) {
      const parent = holdFolder(dirname(path), "fails");
      try {
        rmdirSync(parent.in(basename(path)));
      } finally {
        parent.close();
      }
    }
  });
}

/** Opens the file of a real path for reading; a link that has taken the place of a part of it is not followed. */
export const openReal = (real: string | Buffer): number => openBy(real, toRead);

/** A file or folder that is held open; `way` leads to this very thing, for a child process too. */
export interface Grip {
  stat: BigIntStats;
  way: string;
  /** The handle behind the way, where there is one. */
  fd?: number;
  close(): void;
}

/** Holds a file or folder, found like `openReal`, to read it or names in it; by its name where handles lead nowhere. */
export function grip(real: string | Buffer): Grip {
  const fd = openBy(real, toLook);
  const stat = fstatSync(fd, { bigint: true });
  if (!stat.isSymbolicLink() && handlesLead())
    return { stat, fd, way: `/proc/${process.pid}/fd/${fd}`, close: () => closeSync(fd) };
  closeSync(fd);
  if (stat.isSymbolicLink()) throw faultOf("ECHANGED");
  return { stat, way: String(real), close: () => {} };
}

/**
 * The state of the file of a real path, found like `openReal`. It is never opened for reading: closing it would drop
 * the locks that this process holds on it.
 */
export function statReal(real: string | Buffer): BigIntStats {
  const fd = openBy(real, toLook);
  using _ = closing(fd);
  const stat = fstatSync(fd, { bigint: true });
  if (stat.isSymbolicLink()) throw faultOf("ECHANGED");
  return stat;
}

/** The same, undefined where there is nothing that we may look at. */
export const lookReal = (real: string): Stats | undefined =>
  tryOr(() => {
    const fd = openBy(real, toLook);
    using _ = closing(fd);
    const stat = fstatSync(fd);
    return stat.isSymbolicLink() ? undefined : stat;
  });

function openBy(real: string | Buffer, flags: number): number {
  const straight = openStraight(real, flags);
  if (straight !== undefined) return straight;
  // Names that are not UTF-8 are not walked: `rawPath` has looked that there is no link among them.
  if (typeof real !== "string") throw faultOf("ECHANGED");
  if (!handlesLead()) return openUnheld(real, flags);
  const folder = walk(dirname(real));
  using _ = closing(folder);
  try {
    return openSync(below(folder, basename(real)), flags);
  } catch (thrown) {
    throw codeOf(thrown) === "ELOOP" ? faultOf("ECHANGED") : thrown;
  }
}

/** The path of a name in the folder of a handle, in bytes where the name is. */
function below<Name extends string | Buffer>(fd: number, name: Name): Name;
function below(fd: number, name: string | Buffer): string | Buffer {
  const folder = `/proc/self/fd/${fd}/`;
  return typeof name === "string" ? folder + name : Buffer.concat([Buffer.from(folder), name]);
}

/** Opens a path as a whole and asks the system where that has led; undefined if elsewhere, or if it does not say. */
function openStraight(real: string | Buffer, flags: number): number | undefined {
  const fd = tryOr(() => openSync(real, flags));
  if (fd === undefined) return undefined;
  const led = tryOr(() => readlinkSync(`/proc/self/fd/${fd}`, { encoding: "buffer" }));
  if (led?.equals(Buffer.from(real))) return fd;
  closeSync(fd);
  return undefined;
}

interface Making {
  made: string[];
  mode: number;
}

/** Opens a directory name by name, each from the handle of the one before; with `making`, missing ones are made. */
function walk(real: string | Buffer, making?: Making): number {
  if (real.includes("\0")) throw faultOf("ELOOP");
  const names = typeof real === "string" ? real.split("/") : byteNames(real);
  let at = openSync("/", toPass);
  try {
    let path = "";
    for (const name of names.filter((part) => part.length > 0)) {
      path += `/${name}`;
      const next = openOrMake(at, name, path, typeof name === "string" ? making : undefined);
      closeSync(at);
      at = next;
    }
    return at;
  } catch (thrown) {
    closeSync(at);
    removeMade(making?.made ?? []);
    throw thrown;
  }
}

const byteNames = (real: Buffer): Buffer[] =>
  real
    .toString("latin1")
    .split("/")
    .map((name) => Buffer.from(name, "latin1"));

function openOrMake(at: number, name: string | Buffer, path: string, making: Making | undefined): number {
  try {
    return openSync(below(at, name), toPass);
  } catch (thrown) {
    if (codeOf(thrown) !== "ENOENT" || !making) throw thrown;
  }
  try {
    mkdirSync(below(at, name), making.mode);
    making.made.push(path);
  } catch (thrown) {
    // If somebody else was faster, the directory is as good.
    if (codeOf(thrown) !== "EEXIST") throw thrown;
  }
  return openSync(below(at, name), toPass);
}

/** Opens by name where handles lead nowhere; a link is seen if it is still there after the file is open. */
function openUnheld(real: string, flags: number): number {
  const fd = openSync(real, flags);
  if (realPath(real) === real) return fd;
  closeSync(fd);
  throw faultOf("ECHANGED");
}
