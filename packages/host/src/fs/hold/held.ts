import { type BigIntStats, constants } from "node:fs";
import { parse } from "node:path";
import { faultOf } from "../failure.ts";
import { windowsFault } from "./windows-name.ts";

const onWindows = process.platform === "win32";
const between = onWindows ? "\\" : "/";

/** The last name of a path, in bytes where it is no UTF-8. */
export type Name = string | Buffer;

export type LinkUse = "link" | "target";

/** The verbs on a folder that is held open. A name is one name in it, never a path; no link is followed. */
export interface Names {
  /** Opens a file; with the flags of the system, and the mode of a file that is made. */
  open(name: Name, flags: number, mode?: number): number;
  make(name: Name, mode: number): void;
  /** Both names are in this folder. */
  rename(from: Name, to: Name): void;
  /** Gives what a name stands for to a path elsewhere, on the same file system. */
  moveTo(name: Name, path: string): void;
  remove(name: Name, what: "file" | "folder"): void;
  /** A second name for a file. */
  link(from: Name, to: Name): void;
  makeLink(name: Name, target: Uint8Array): void;
  /** The state of a name, or of what it links to; undefined where nothing stands. */
  stat(name: Name, of?: LinkUse): Look | undefined;
  readLink(name: Name): Buffer;
  /** Throws unless this user may write the file. */
  mustBeWritable(name: Name): void;
  /** Sets the mode of a file or folder; of the folder itself with the name `.`. */
  setMode(name: Name, mode: number): void;
  /** The names in the folder, as bytes. */
  list(): ListedName[];
}

export interface ListedName {
  name: Buffer;
  isLink: boolean;
}

/** A folder that is held open: names in it are reached through the handle, whatever happens to its path. */
export interface Held extends Names {
  /** The directories that had to be made, outermost first. */
  made: readonly string[];
  /** The handle. */
  fd: number;
  /** The state of the folder when it was opened. */
  look: Look;
  /** Lends a path to the folder, for calls and programs that only take paths; it leads there until `use` returns. */
  lend<T>(use: (path: string) => T): T;
  /** True if the folder still stands where it was found. */
  stands(): boolean;
  close(): void;
}

/** A way to reach names in folders that are open. */
export interface Way {
  readonly name: WayName;
  /** Flags to open a folder with whose names are to be reached. */
  readonly toPass: number;
  /** Opens a real path as a whole; undefined if there is a link on the way, or if it cannot be told. */
  straight(real: Name, flags: number): number | undefined;
  /** The names in a folder that is open. */
  names(fd: number, real: Name): Names;
  /** The path that leads everybody to what is open; where there is none, only its real path leads there. */
  pathOf?(fd: number): string;
  /** Lends a path to a folder that is open. */
  lend<T>(fd: number, real: string, use: (path: string) => T): T;
  /** Keeps a folder that is open where it is, where the system can do that; throws if it is not at its path. */
  pin?(fd: number, real: string): (() => void) | undefined;
}

export type WayName = "proc" | "at" | "path";

type LookField = "dev" | "ino" | "mode" | "nlink" | "uid" | "gid" | "size" | "mtimeNs" | "ctimeNs";
type LookTest = "isFile" | "isDirectory" | "isSymbolicLink" | "isFIFO" | "isSocket";

/** The state of a file. */
export type Look = Pick<BigIntStats, LookField | LookTest>;

/** The state of a file, of the numbers that a call of the C library tells. */
export function lookOf(fields: Pick<BigIntStats, LookField>): Look {
  const is = (format: bigint) => () => (fields.mode & 0o170000n) === format;
  return Object.assign(fields, {
    isFile: is(0o100000n),
    isDirectory: is(0o040000n),
    isSymbolicLink: is(0o120000n),
    isFIFO: is(0o010000n),
    isSocket: is(0o140000n),
  });
}

export const isSameFile = (one: Pick<Look, "dev" | "ino">, other: Pick<Look, "dev" | "ino">): boolean =>
  one.dev === other.dev && one.ino === other.ino;

/** Opens only to look at a file and to keep it (O_PATH), where the system can do that: a pipe does not wait, and nothing acts. */
export const toLook: number | undefined = process.platform === "linux" ? 0o10000000 | constants.O_NOFOLLOW : undefined;

/** Throws for what is more than one name, and so would lead out of the folder. */
export function checkName(name: Name): void {
  if (onWindows && windowsFault(name.toString())) throw faultOf("EINVALID");
  if (name.includes("/") || name.includes("\0") || name.length === 0 || name.toString("latin1") === "..")
    throw faultOf("ELOOP");
}

/** The path of a name in a folder, in bytes where one of both is. */
export function joined(folder: Name, name: Name): Name {
  if (typeof folder === "string" && typeof name === "string")
    return folder.endsWith(between) ? `${folder}${name}` : `${folder}${between}${name}`;
  return Buffer.concat([Buffer.from(folder), Buffer.from(between), Buffer.from(name)]);
}

/** The root of a path and the names below it. */
export function partsOf(real: Name): { root: string; names: Name[] } {
  if (typeof real === "string") {
    const { root } = parse(real);
    return { root, names: namesIn(real.slice(root.length)) };
  }
  return { root: "/", names: namesIn(real.toString("latin1")).map((name) => Buffer.from(name, "latin1")) };
}

const namesIn = (path: string): string[] => path.split(between).filter((name) => name.length > 0);

/** A name or path as C reads it, with a zero at its end. */
export const bytesOf = (name: Name): Buffer =>
  typeof name === "string" ? Buffer.from(`${name}\0`) : Buffer.concat([name, Buffer.alloc(1)]);
