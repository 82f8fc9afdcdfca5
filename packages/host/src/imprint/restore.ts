import {
  chmodSync,
  closeSync,
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
import { codeOf, hasher, messageOf } from "@pith/kit";
import { asideName } from "../fs/aside.ts";
import { type Held, holdFolder } from "../fs/hold.ts";
import { onDisk } from "../git/name.ts";
import type { Entry } from "./tree.ts";

/** One path to bring back to what it was. */
export interface Restore {
  path: string;
  to: Entry | undefined;
}

export interface Unrestored {
  path: string;
  why: string;
}

/**
 * What stands at a path now. Below a link there is nothing: what can be reached through it stands elsewhere. `keep` is
 * given what is read for it, and names it.
 */
export function entryAt(root: string, path: string, keep?: (content: Uint8Array) => string): Entry | undefined {
  const full = join(root, path);
  const stat = standing(root, path);
  if (!stat) return undefined;
  if (stat.isDirectory()) return { is: "dir", mode: stat.mode & 0o7777 };
  if (stat.isSymbolicLink())
    return { is: "link", id: (keep ?? blobId)(readlinkSync(onDisk(full), { encoding: "buffer" })) };
  return { is: "file", mode: stat.mode & 0o7777, id: contentId(full, stat, keep) };
}

/** A pipe or device is nothing that could be compared, and neither is what may not be read. */
function contentId(full: string, stat: Stats, keep: ((content: Uint8Array) => string) | undefined): string {
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

/** Somebody may have put a file of any size in its place: it is read in pieces. */
function largeId(full: string, size: number): string {
  const hash = hasher("sha1").update(`blob ${size}\0`);
  const fd = openSync(onDisk(full), "r");
  try {
    const piece = Buffer.alloc(1024 * 1024);
    for (let n = readSync(fd, piece); n > 0; n = readSync(fd, piece)) hash.update(piece.subarray(0, n));
    return hash.digest("hex");
  } finally {
    closeSync(fd);
  }
}

/** In the place of a content's name. */
export const unreadable = "unreadable";

export const sameEntry = (a: Entry | undefined, b: Entry | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export interface Contents {
  get(id: string, type: "blob"): Buffer;
}

/** Brings paths back; each file is replaced whole. What is in the way or cannot be written is left alone and named. */
export function restoreAll(root: string, contents: Contents, wanted: readonly Restore[]): Unrestored[] {
  const failed: Unrestored[] = [];
  const folders = new Folders(realpathSync(root));
  const attempt = (path: string, work: (full: string | Buffer, folder: Held) => void) => {
    try {
      const folder = folders.hold(dirname(path));
      work(folder.in(onDisk(basename(path))), folder);
    } catch (thrown) {
      failed.push({ path, why: whyOf(thrown) });
    }
  };
  const [gone, kept] = [
    wanted.filter((change) => change.to?.is !== "dir"),
    wanted.filter((change) => change.to?.is === "dir"),
  ];
  // What goes, goes from the inside out; what comes back, from the outside in; modes of directories last, they may
  // forbid writing.
  for (const { path, to } of gone.toReversed())
    if (!to ? standing(root, path) : standing(root, path)?.isDirectory()) attempt(path, removeAt);
  for (const { path, to } of kept)
    attempt(path, (full) => {
      if (!statAt(full)?.isDirectory()) removeAt(full);
      if (!statAt(full)) mkdirSync(full);
      // Cut short, it had better be as it shall be; only one that could not be filled then has to wait for its mode.
      folders.setMode(path, to?.is === "dir" ? to.mode | 0o700 : 0o700);
    });
  for (const { path, to } of gone)
    if (to && to.is !== "dir") attempt(path, (full, folder) => write(full, folder, to, contents));
  for (const { path, to } of kept.toReversed())
    if (to?.is === "dir") attempt(path, () => folders.setMode(path, to.mode));
  folders.close();
  return failed;
}

function whyOf(thrown: unknown): string {
  const code = codeOf(thrown);
  if (code === "ENOTEMPTY") return "it holds other files";
  return code === "ELOOP" || code === "ENOTDIR" ? "a link stands in its way" : messageOf(thrown);
}

/**
 * The folders below a real path, held one at a time: paths come in their order. Never through a link, whenever it was
 * put there: it may lead anywhere.
 */
class Folders {
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

function standing(root: string, path: string): Stats | undefined {
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

function write(full: string | Buffer, folder: Held, to: Entry & { id: string }, contents: Contents): void {
  const content = contents.get(to.id, "blob");
  const there = statAt(full);
  // Other names of the file shall see it too; a new file would only take this one's place.
  if (to.is === "file" && there?.isFile() && there.nlink > 1) {
    fill(full, inPlace, content, to.mode);
    return;
  }
  const aside = folder.in(asideName());
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

/** All by the handle: somebody may put a link in its place meanwhile. */
function fill(path: string | Buffer, flags: string | number, content: Uint8Array, mode: number): void {
  const fd = openSync(path, flags, 0o600);
  try {
    ftruncateSync(fd, 0);
    writeFileSync(fd, content);
    fchmodSync(fd, mode);
  } finally {
    closeSync(fd);
  }
}

const blobId = (body: Uint8Array): string => hasher("sha1").update(`blob ${body.length}\0`).update(body).digest("hex");

/** Nothing where there is nothing, also below what is no directory. */
function statAt(full: string | Buffer): Stats | undefined {
  try {
    return lstatSync(full, { throwIfNoEntry: false });
  } catch (thrown) {
    if (codeOf(thrown) === "ENOTDIR") return undefined;
    throw thrown;
  }
}
