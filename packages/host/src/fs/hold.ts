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
import { codeOf, realPath } from "@pith/kit";
import { faultOf } from "./failure.ts";

/**
 * A folder that is held open: names in it are reached through the handle, so whatever happens to its path, they are
 * names in this very folder.
 */
export interface Held {
  /** The directories that had to be made, outermost first. */
  made: readonly string[];
  /** The way to a name in it; the empty name is the folder itself. */
  in<Name extends string | Buffer>(name: Name): Name;
  /** Whether it still stands where it was found. */
  stands(): boolean;
  close(): void;
}

// Enough to look at a file, and to reach what is in a directory, also where its names cannot be listed. Node has no
// name for it.
export const toLook: number = 0o10000000 | constants.O_NOFOLLOW;
const toPass = toLook | constants.O_DIRECTORY;
const toRead = constants.O_RDONLY | constants.O_NOFOLLOW | (constants.O_NONBLOCK ?? 0);

let lead: boolean | undefined;
/** Whether names can be reached through handles; that does not change while we run. */
function handlesLead(): boolean {
  lead ??= existsSync("/proc/self/fd");
  return lead;
}

/**
 * Holds the folder of a real path; a link that has taken the place of a part of it is not followed. Of a path in bytes
 * nothing is made; what is made gets the mode, less what the user's mask takes away.
 */
export function holdFolder(real: string | Buffer, missing: "fails" | "is made", mode = 0o777): Held {
  if (!handlesLead()) throw faultOf("ENOSYS");
  const made: string[] = [];
  const fd = openStraight(real, toPass) ?? walk(real, missing === "is made" ? { made, mode } : undefined);
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return {
    made,
    in: (name) => below(fd, name),
    stands() {
      try {
        const again = openStraight(real, toPass) ?? walk(real);
        const now = fstatSync(again, { bigint: true });
        closeSync(again);
        return now.dev === dev && now.ino === ino;
      } catch {
        return false;
      }
    },
    close: () => closeSync(fd),
  };
}

/** Removes the directories that were made for a file that is not there after all. */
export function removeMade(made: readonly string[]): void {
  try {
    for (const path of made.toReversed()) {
      const above = holdFolder(dirname(path), "fails");
      try {
        rmdirSync(above.in(basename(path)));
      } finally {
        above.close();
      }
    }
  } catch {
    // Somebody else uses it by now.
  }
}

/** Opens the file of a real path for reading; a link that has taken the place of a part of it is not followed. */
export const openReal = (real: string | Buffer): number => openBy(real, toRead);

/** What stands at a real path, held open: whoever goes by `way`, a child process too, goes to this very thing. */
export interface Grip {
  stat: BigIntStats;
  way: string;
  /** The handle behind the way, where there is one. */
  fd?: number;
  close(): void;
}

/** Takes hold of a file or folder in the same way, to read it or what is in it. Where handles lead nowhere, by its name. */
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
 * Looks at the file of a real path in the same way. Closing a file that was opened would take away the locks that this
 * process holds on it.
 */
export function statReal(real: string | Buffer): BigIntStats {
  const fd = openBy(real, toLook);
  try {
    const stat = fstatSync(fd, { bigint: true });
    if (stat.isSymbolicLink()) throw faultOf("ECHANGED");
    return stat;
  } finally {
    closeSync(fd);
  }
}

/** What stands at a real path, seen in the same way, if anything that we may look at. */
export function lookReal(real: string): Stats | undefined {
  try {
    const fd = openBy(real, toLook);
    try {
      const stat = fstatSync(fd);
      return stat.isSymbolicLink() ? undefined : stat;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

function openBy(real: string | Buffer, flags: number): number {
  const straight = openStraight(real, flags);
  if (straight !== undefined) return straight;
  // Names that are not UTF-8 are not walked: `rawPath` has looked that there is no link among them.
  if (typeof real !== "string") throw faultOf("ECHANGED");
  if (!handlesLead()) return openUnheld(real, flags);
  const folder = walk(dirname(real));
  try {
    return openSync(below(folder, basename(real)), flags);
  } catch (thrown) {
    throw codeOf(thrown) === "ELOOP" ? faultOf("ECHANGED") : thrown;
  } finally {
    closeSync(folder);
  }
}

/** In bytes where the name is. */
function below<Name extends string | Buffer>(fd: number, name: Name): Name;
function below(fd: number, name: string | Buffer): string | Buffer {
  const folder = `/proc/self/fd/${fd}/`;
  return typeof name === "string" ? folder + name : Buffer.concat([Buffer.from(folder), name]);
}

/**
 * The short way: opens the path as a whole, and asks the system where that has led. Undefined when it led elsewhere,
 * nowhere, or the system does not say.
 */
function openStraight(real: string | Buffer, flags: number): number | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(real, flags);
    const at = readlinkSync(`/proc/self/fd/${fd}`, { encoding: "buffer" });
    if (at.equals(Buffer.from(real))) return fd;
  } catch {
    // The long way tells what is wrong.
  }
  if (fd !== undefined) closeSync(fd);
  return undefined;
}

/** The long way: name by name, each from the handle of the one before. With `making`, what is missing is made. */
function walk(real: string | Buffer, making?: Making): number {
  if (real.includes("\0")) throw faultOf("ELOOP");
  const names = typeof real === "string" ? real.split("/") : byteNames(real);
  let at = openSync("/", toPass);
  try {
    let path = "";
    for (const name of names.filter((part) => part.length > 0)) {
      path += `/${name}`;
      const next = tryPass(at, name) ?? make(at, name, typeof name === "string" ? making : undefined, path);
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

function tryPass(at: number, name: string | Buffer): number | undefined {
  try {
    return openSync(below(at, name), toPass);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

interface Making {
  made: string[];
  mode: number;
}

function make(at: number, name: string | Buffer, making: Making | undefined, path: string): number {
  if (!making) throw faultOf("ENOENT");
  try {
    mkdirSync(below(at, name), making.mode);
    making.made.push(path);
  } catch (thrown) {
    // Somebody was faster, which is as good.
    if (codeOf(thrown) !== "EEXIST") throw thrown;
  }
  return openSync(below(at, name), toPass);
}

/** Reading is not refused where handles lead nowhere; a link is seen when it is still there after the file is open. */
function openUnheld(real: string, flags: number): number {
  const fd = openSync(real, flags);
  if (realPath(real) === real) return fd;
  closeSync(fd);
  throw faultOf("ECHANGED");
}
