import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { basename, dirname } from "node:path";
import { closing, codeOf, tryOr } from "@pith/kit";
import { faultOf } from "../failure.ts";
import { type Held, isSameFile, joined, type Look, type Name, partsOf, toLook, type Way } from "./held.ts";
import { wayForOthers, wayHere, wayToRead } from "./way.ts";

const toRead = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Holds the folder of a real path; a link that has taken the place of a part of it is not followed. Directories that
 * are missing are made with the mode, less the user's mask; never for a path in bytes.
 */
export const holdFolder = (real: Name, missing: "fails" | "is made", mode = 0o777): Held =>
  hold(wayHere().way, real, missing === "is made" ? { made: [], mode } : undefined);

/** The same, to look at what is in it. */
export const holdToRead = (real: Name): Held => hold(wayToRead(), real);

function hold(way: Way, real: Name, making?: Making): Held {
  const fd = openFolder(way, real, making);
  const look = fstatSync(fd, { bigint: true });
  const unpin = pinned(way, fd, real);
  const stands = () => {
    const again = openFolder(way, real);
    using _ = closing(again);
    return isSameFile(fstatSync(again, { bigint: true }), look);
  };
  return Object.assign(way.names(fd, real), {
    made: making?.made ?? [],
    fd,
    look,
    stands: () => tryOr(stands, false),
    lend: <T>(use: (path: string) => T): T => way.lend(fd, String(real), use),
    close() {
      unpin?.();
      closeSync(fd);
    },
  });
}

function pinned(way: Way, fd: number, real: Name): (() => void) | undefined {
  try {
    return way.pin?.(fd, String(real));
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

/** Removes the directories that were made for a file that is not there after all, up to one that is in use. */
export function removeMade(made: readonly string[]): void {
  tryOr(() => {
    for (const path of made.toReversed()) {
      const parent = holdFolder(dirname(path), "fails");
      try {
        parent.remove(basename(path), "folder");
      } finally {
        parent.close();
      }
    }
  });
}

/** Opens the file of a real path for reading; a link that has taken the place of a part of it is not followed. */
export function openReal(real: Name): number {
  return wayToRead().straight(real, toRead) ?? inFolder(real, (folder, name) => folder.open(name, toRead));
}

/**
 * The state of the file of a real path, found like `openReal`. It is never opened for reading: closing it would drop
 * the locks that this process holds on it.
 */
export function statReal(real: Name): Look {
  const look = lookStraight(real) ?? inFolder(real, (folder, name) => folder.stat(name));
  if (!look) throw faultOf("ENOENT");
  if (look.isSymbolicLink()) throw faultOf("ECHANGED");
  return look;
}

/** A file or folder that is held open for a child process. */
export interface Grip {
  look: Look;
  /** The folder; undefined for a file. */
  folder?: Held;
  /** A path of the file, or of the folder while `start` runs. */
  path: string;
  /** True if that path leads to this very thing, whatever stands where it was found. */
  isSure: boolean;
  /** Starts something whose current directory may be `path`. */
  start<T>(start: (path: string) => T): T;
  /** True if this still stands where it was found. */
  stands(): boolean;
  close(): void;
}

/** Holds a file or folder, found like `openReal`, for a child process. */
export function grip(real: Name): Grip {
  const way = wayForOthers();
  const look = statReal(real);
  if (look.isDirectory()) {
    const folder = hold(way, real);
    const { stands, close, lend: start } = folder;
    return { look: folder.look, folder, path: String(real), isSure: way.pathOf !== undefined, start, stands, close };
  }
  const flags = toLook ?? toRead;
  const fd = way.straight(real, flags) ?? inFolder(real, (folder, name) => folder.open(name, flags));
  const path = way.pathOf?.(fd) ?? String(real);
  return {
    look: fstatSync(fd, { bigint: true }),
    path,
    isSure: way.pathOf !== undefined,
    start: (start) => start(path),
    stands: () => tryOr(() => isSameFile(statReal(real), look), false),
    close: () => closeSync(fd),
  };
}

/** The state of a file as tools use it. */
export interface Seen {
  size: number;
  /** Epoch milliseconds. */
  mtimeMs: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** The same, undefined where there is nothing that we may look at. */
export const lookReal = (real: string): Seen | undefined =>
  tryOr(() => {
    const look = statReal(real);
    return {
      size: Number(look.size),
      mtimeMs: timeOf(look),
      isFile: () => look.isFile(),
      isDirectory: () => look.isDirectory(),
    };
  });

/** The time of the last change of a file, in epoch milliseconds, as the runtime tells it. */
export const timeOf = ({ mtimeNs }: Pick<Look, "mtimeNs">): number => Number(mtimeNs) / 1e6;

/** The state by a handle that does not open the file, where the system has such. */
function lookStraight(real: Name): Look | undefined {
  const way = wayToRead();
  const flags = toLook ?? (partsOf(real).names.length === 0 ? way.toPass : undefined);
  const fd = flags === undefined ? undefined : way.straight(real, flags);
  if (fd === undefined) return undefined;
  using _ = closing(fd);
  return fstatSync(fd, { bigint: true });
}

/** Does something with a name in the folder of a real path. */
function inFolder<T>(real: Name, work: (folder: Held, name: Name) => T): T {
  if (real.includes("\0")) throw faultOf("ELOOP");
  const [above, name] = splitName(real);
  const folder = holdToRead(above);
  try {
    return work(folder, name);
  } catch (thrown) {
    throw codeOf(thrown) === "ELOOP" ? faultOf("ECHANGED") : thrown;
  } finally {
    folder.close();
  }
}

function splitName(real: Name): [folder: Name, name: Name] {
  if (typeof real === "string") return [dirname(real), basename(real)];
  const cut = real.lastIndexOf("/");
  return [cut <= 0 ? "/" : real.subarray(0, cut), real.subarray(cut + 1)];
}

interface Making {
  made: string[];
  mode: number;
}

/** Opens a folder as a whole, or name by name, each in the one before; with `making`, missing ones are made. */
function openFolder(way: Way, real: Name, making?: Making): number {
  const straight = way.straight(real, way.toPass);
  if (straight !== undefined) return straight;
  if (real.includes("\0")) throw faultOf("ELOOP");
  const { root, names } = partsOf(real);
  let at: Name = root;
  let fd = openSync(at, way.toPass);
  try {
    for (const name of names) {
      const next = openOrMake(way, { fd, at }, name, making);
      closeSync(fd);
      [fd, at] = [next, joined(at, name)];
    }
    return fd;
  } catch (thrown) {
    closeSync(fd);
    removeMade(making?.made ?? []);
    throw thrown;
  }
}

function openOrMake(way: Way, { fd, at }: { fd: number; at: Name }, name: Name, making: Making | undefined): number {
  const names = way.names(fd, at);
  try {
    return names.open(name, way.toPass);
  } catch (thrown) {
    if (codeOf(thrown) !== "ENOENT" || !making || typeof name !== "string") throw thrown;
  }
  try {
    names.make(name, making.mode);
    making.made.push(String(joined(at, name)));
  } catch (thrown) {
    // If somebody else was faster, the directory is as good.
    if (codeOf(thrown) !== "EEXIST") throw thrown;
  }
  return names.open(name, way.toPass);
}
