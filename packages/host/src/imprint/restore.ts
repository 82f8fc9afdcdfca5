import {
  constants,
  fchmodSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, parse } from "node:path";
import { closing, codeOf, hasher, messageOf } from "@pith/kit";
import { asideName } from "../fs/aside.ts";
import type { Held, Name } from "../fs/hold/held.ts";
import { holdFolder } from "../fs/hold/hold.ts";
import { onDisk } from "../git/name.ts";
import type { Entry } from "./change.ts";

export interface Restore {
  path: string;
  to: Entry | undefined;
}

export interface Unrestored {
  path: string;
  why: string;
}

type MakeId = (content: Uint8Array) => string;

/** The present state of a path; undefined below a link, which leads elsewhere. `keep` stores contents and returns ids. */
export function entryAt(root: string, path: string, keep?: MakeId): Entry | undefined {
  const full = join(root, path);
  const stat = statWithin(root, path);
  if (!stat) return undefined;
  if (stat.isDirectory()) return { is: "dir", mode: stat.mode & 0o7777 };
  if (stat.isSymbolicLink())
    return { is: "link", id: (keep ?? blobId)(readlinkSync(onDisk(full), { encoding: "buffer" })) };
  return { is: "file", mode: stat.mode & 0o7777, id: contentId(full, stat, keep) };
}

/** The same for an absolute path. */
export function entryAtPath(path: string, keep?: MakeId): Entry | undefined {
  const { root } = parse(path);
  return entryAt(root, path.slice(root.length), keep);
}

/** The id of a content; a fixed word for a pipe, a device, or a file that may not be read. */
function contentId(full: string, stat: Stats, keep: MakeId | undefined): string {
  if (!stat.isFile()) return "special";
  let content: Uint8Array;
  try {
    if (!keep && stat.size > largeBytes) return largeId(full, stat.size);
    content = readFileSync(onDisk(full));
  } catch (thrown) {
    if (codeOf(thrown) === "EACCES" || codeOf(thrown) === "EPERM") return unreadable;
    throw thrown;
  }
  return (keep ?? blobId)(content);
}

const largeBytes = 16 * 1024 * 1024;

/** The id of a large file, which is read in pieces. */
function largeId(full: string, size: number): string {
  const hash = hasher("sha1").update(`blob ${size}\0`);
  const fd = openSync(onDisk(full), "r");
  using _ = closing(fd);
  const piece = Buffer.alloc(1024 * 1024);
  for (let n = readSync(fd, piece); n > 0; n = readSync(fd, piece)) hash.update(piece.subarray(0, n));
  return hash.digest("hex");
}

/** Stands for the id of a file that may not be read. */
export const unreadable = "unreadable";

interface Contents {
  get(id: string, type: "blob"): Buffer;
}

/** Restores paths, each file as a whole. Returns the paths that could not be written, or where something is in the way. */
export function restoreAll(root: string, contents: Contents, wanted: readonly Restore[]): Unrestored[] {
  const failed: Unrestored[] = [];
  const directories = new Directories(realpathSync(root));
  const attempt = (path: string, work: (name: Name, parent: Held) => void) => {
    try {
      work(onDisk(basename(path)), directories.hold(dirname(path)));
    } catch (thrown) {
      failed.push({ path, why: whyOf(thrown) });
    }
  };
  const others = wanted.filter(({ to }) => to?.is !== "dir");
  const made = wanted.flatMap(({ path, to }) => (to?.is === "dir" ? [{ path, mode: to.mode }] : []));
  // Removes from the inside out, then makes from the outside in. Sets modes last, because they may forbid writing.
  for (const { path, to } of others.toReversed())
    if (!to ? statWithin(root, path) : statWithin(root, path)?.isDirectory()) attempt(path, removeAt);
  for (const { path, mode } of made)
    attempt(path, (name, parent) => {
      if (!parent.stat(name)?.isDirectory()) removeAt(name, parent);
      if (!parent.stat(name)) parent.make(name, 0o777);
      // Close to the final mode, in case the work is cut short.
      parent.setMode(name, mode | 0o700);
    });
  for (const { path, to } of others)
    if (to && to.is !== "dir") attempt(path, (name, parent) => write(name, parent, to, contents));
  for (const { path, mode } of made.toReversed()) attempt(path, (name, parent) => parent.setMode(name, mode));
  directories.close();
  return failed;
}

/** The same for absolute paths, on as many drives as there are. */
export function restorePaths(contents: Contents, wanted: readonly Restore[]): Unrestored[] {
  const byRoot = Map.groupBy(wanted, ({ path }) => parse(path).root);
  return [...byRoot].flatMap(([root, there]) => {
    const below = there.map(({ path, to }) => ({ path: path.slice(root.length), to }));
    return restoreAll(root, contents, below).map(({ path, why }) => ({ path: join(root, path), why }));
  });
}

function whyOf(thrown: unknown): string {
  const code = codeOf(thrown);
  if (code === "ENOTEMPTY") return "it holds other files";
  return code === "ELOOP" || code === "ENOTDIR" ? "a link stands in its way" : messageOf(thrown);
}

/** Opens directories below a real path, one at a time, and never through a link, which may lead anywhere. */
class Directories {
  readonly #real: string;
  #path: string | undefined;
  #held: Held | undefined;

  constructor(real: string) {
    this.#real = real;
  }

  hold(path: string): Held {
    if (this.#held && this.#path === path) return this.#held;
    this.close();
    this.#held = this.#open(path);
    this.#path = path;
    return this.#held;
  }

  close(): void {
    this.#held?.close();
    this.#held = undefined;
  }

  #open(path: string): Held {
    try {
      return holdFolder(onDisk(join(this.#real, path)), "fails");
    } catch (thrown) {
      if (codeOf(thrown) !== "ENOENT" || path === ".") throw thrown;
      const above = this.#open(dirname(path));
      try {
        above.make(onDisk(basename(path)), 0o777);
      } finally {
        above.close();
      }
      return holdFolder(onDisk(join(this.#real, path)), "fails");
    }
  }
}

/** The state of a path; undefined below a link. */
function statWithin(root: string, path: string): Stats | undefined {
  for (let above = dirname(path); above !== "."; above = dirname(above))
    if (statAt(onDisk(join(root, above)))?.isSymbolicLink()) return undefined;
  return statAt(onDisk(join(root, path)));
}

function removeAt(name: Name, parent: Held): void {
  const stat = parent.stat(name);
  if (stat) parent.remove(name, stat.isDirectory() ? "folder" : "file");
}

function write(name: Name, parent: Held, to: Entry & { id: string }, contents: Contents): void {
  const content = contents.get(to.id, "blob");
  const there = parent.stat(name);
  // A file with several hard links is written in place, so that all of them see the change.
  if (to.is === "file" && there?.isFile() && there.nlink > 1n) {
    fill(parent.open(name, inPlace), content, to.mode);
    return;
  }
  const aside = asideName();
  try {
    if (to.is === "link") parent.makeLink(aside, content);
    else fill(parent.open(aside, asNew, 0o600), content, to.mode);
    parent.rename(aside, name);
  } catch (thrown) {
    if (parent.stat(aside)) parent.remove(aside, "file");
    throw thrown;
  }
}

const inPlace = constants.O_WRONLY | (constants.O_NONBLOCK ?? 0);
const asNew = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Writes by the handle, because a link may be put in the place of the file meanwhile. */
function fill(fd: number, content: Uint8Array, mode: number): void {
  using _ = closing(fd);
  ftruncateSync(fd, 0);
  writeFileSync(fd, content);
  fchmodSync(fd, mode);
}

const blobId = (body: Uint8Array): string => hasher("sha1").update(`blob ${body.length}\0`).update(body).digest("hex");

/** The state of a path; undefined if it does not exist. */
function statAt(full: string | Buffer): Stats | undefined {
  try {
    return lstatSync(full, { throwIfNoEntry: false });
  } catch (thrown) {
    if (codeOf(thrown) === "ENOTDIR") return undefined;
    throw thrown;
  }
}
