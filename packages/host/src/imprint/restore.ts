import {
  chmodSync,
  constants,
  fchmodSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { closing, codeOf, hasher, messageOf } from "@pith/kit";
import { asideName } from "../fs/aside.ts";
import { type Held, holdFolder } from "../fs/hold.ts";
import { onDisk } from "../git/name.ts";
import type { Entry } from "./tree.ts";

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

export const sameEntry = (a: Entry | undefined, b: Entry | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

interface Contents {
  get(id: string, type: "blob"): Buffer;
}

/** Restores paths, each file as a whole. Returns the paths that could not be written, or where something is in the way. */
export function restoreAll(root: string, contents: Contents, wanted: readonly Restore[]): Unrestored[] {
  const failed: Unrestored[] = [];
  const directories = new Directories(realpathSync(root));
  const attempt = (path: string, work: (full: string | Buffer, parent: Held) => void) => {
    try {
      const parent = directories.hold(dirname(path));
      work(parent.in(onDisk(basename(path))), parent);
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
    attempt(path, (full) => {
      if (!statAt(full)?.isDirectory()) removeAt(full);
      if (!statAt(full)) mkdirSync(full);
      // Close to the final mode, in case the work is cut short.
      directories.setMode(path, mode | 0o700);
    });
  for (const { path, to } of others)
    if (to && to.is !== "dir") attempt(path, (full, parent) => write(full, parent, to, contents));
  for (const { path, mode } of made.toReversed()) attempt(path, () => directories.setMode(path, mode));
  directories.close();
  return failed;
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

  setMode(path: string, mode: number): void {
    const held = holdFolder(onDisk(join(this.#real, path)), "fails");
    try {
      chmodSync(held.in(""), mode);
    } finally {
      held.close();
    }
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
        mkdirSync(above.in(onDisk(basename(path))));
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

function removeAt(full: string | Buffer): void {
  const stat = statAt(full);
  if (!stat) return;
  if (stat.isDirectory()) rmdirSync(full);
  else unlinkSync(full);
}

function write(full: string | Buffer, parent: Held, to: Entry & { id: string }, contents: Contents): void {
  const content = contents.get(to.id, "blob");
  const there = statAt(full);
  // A file with several hard links is written in place, so that all of them see the change.
  if (to.is === "file" && there?.isFile() && there.nlink > 1) {
    fill(full, inPlace, content, to.mode);
    return;
  }
  const aside = parent.in(asideName());
  try {
    if (to.is === "link") symlinkSync(content, aside);
    else fill(aside, "wx", content, to.mode);
    renameSync(aside, full);
  } catch (thrown) {
    if (statAt(aside)) unlinkSync(aside);
    throw thrown;
  }
}

const inPlace = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Writes by the handle, because a link may be put in the place of the file meanwhile. */
function fill(path: string | Buffer, flags: string | number, content: Uint8Array, mode: number): void {
  const fd = openSync(path, flags, 0o600);
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
