import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
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
import { dirname, join } from "node:path";
import { codeOf, hasher, messageOf } from "@pith/kit";
import { asideName } from "../fs/aside.ts";
import { nameOf, onDisk } from "./name.ts";
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

/** What stands at a path now. Below a link there is nothing: what can be reached through it stands elsewhere. */
export function entryAt(root: string, path: string): Entry | undefined {
  const full = join(root, path);
  const stat = standing(root, path);
  if (!stat) return undefined;
  if (stat.isDirectory()) return { is: "dir", mode: stat.mode & 0o7777 };
  if (stat.isSymbolicLink()) return { is: "link", id: blobId(readlinkSync(onDisk(full), { encoding: "buffer" })) };
  return { is: "file", mode: stat.mode & 0o7777, id: contentId(full, stat) };
}

/** A pipe or device is nothing that could be compared, and neither is what may not be read. */
function contentId(full: string, stat: Stats): string {
  if (!stat.isFile()) return "special";
  try {
    return stat.size > largeBytes ? largeId(full, stat.size) : blobId(readFileSync(onDisk(full)));
  } catch (thrown) {
    if (codeOf(thrown) === "EACCES" || codeOf(thrown) === "EPERM") return unreadable;
    throw thrown;
  }
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
  const real = realpathSync(root);
  // A directory is looked at once; nobody else is expected to rebuild the tree in these moments.
  const safe = new Set<string>(["."]);
  const attempt = (path: string, work: () => void) => {
    try {
      mustBeInside(root, real, path, safe);
      work();
    } catch (thrown) {
      failed.push({ path, why: codeOf(thrown) === "ENOTEMPTY" ? "it holds other files" : messageOf(thrown) });
    }
  };
  const [gone, kept] = [
    wanted.filter((change) => change.to?.is !== "dir"),
    wanted.filter((change) => change.to?.is === "dir"),
  ];
  // What goes, goes from the inside out; what comes back, from the outside in; modes of directories last, they may
  // forbid writing.
  for (const { path, to } of gone.toReversed())
    if (!to || entryIs(root, path) === "dir") attempt(path, () => removeAt(join(root, path)));
  for (const { path, to } of kept)
    attempt(path, () => {
      if (entryIs(root, path) !== "dir") removeAt(join(root, path));
      mkdirSync(onDisk(join(root, path)), { recursive: true });
      // Cut short, it had better be as it shall be; only one that could not be filled then has to wait for its mode.
      chmodSync(onDisk(join(root, path)), to?.is === "dir" ? to.mode | 0o700 : 0o700);
    });
  safe.clear();
  for (const { path, to } of gone)
    if (to && to.is !== "dir") attempt(path, () => write(join(root, path), to, contents));
  for (const { path, to } of kept.toReversed())
    if (to?.is === "dir") attempt(path, () => chmodSync(onDisk(join(root, path)), to.mode));
  return failed;
}

function standing(root: string, path: string): Stats | undefined {
  for (let above = dirname(path); above !== "."; above = dirname(above))
    if (statAt(join(root, above))?.isSymbolicLink()) return undefined;
  return statAt(join(root, path));
}

function entryIs(root: string, path: string): "dir" | "other" | "missing" {
  const stat = standing(root, path);
  if (!stat) return "missing";
  return stat.isDirectory() ? "dir" : "other";
}

/** Never through a link: a directory that has become one may lead anywhere. */
function mustBeInside(root: string, real: string, path: string, safe: Set<string>): void {
  const wanted = dirname(path);
  if (safe.has(wanted)) return;
  let folder = wanted;
  while (folder !== "." && entryIs(root, folder) === "missing") folder = dirname(folder);
  if (folder !== "." && nameOf(realpathSync(onDisk(join(root, folder)), { encoding: "buffer" })) !== join(real, folder))
    throw new Error("a link stands in its way");
  if (folder === wanted) safe.add(wanted);
}

function removeAt(full: string): void {
  const stat = statAt(full);
  if (!stat) return;
  if (!stat.isDirectory()) unlinkSync(onDisk(full));
  else if (readdirSync(onDisk(full)).length > 0) throw Object.assign(new Error("not empty"), { code: "ENOTEMPTY" });
  else rmdirSync(onDisk(full));
}

function write(full: string, to: Entry & { id: string }, contents: Contents): void {
  const content = contents.get(to.id, "blob");
  const there = statAt(full);
  // Other names of the file shall see it too; a new file would only take this one's place.
  if (to.is === "file" && there?.isFile() && there.nlink > 1) {
    writeFileSync(onDisk(full), content);
    chmodSync(onDisk(full), to.mode);
    return;
  }
  if (!statAt(dirname(full))) mkdirSync(onDisk(dirname(full)), { recursive: true });
  const aside = onDisk(join(dirname(full), asideName()));
  try {
    if (to.is === "link") symlinkSync(content, aside);
    else {
      writeFileSync(aside, content, { flag: "wx", mode: 0o600 });
      chmodSync(aside, to.mode);
    }
    renameSync(aside, onDisk(full));
  } catch (thrown) {
    if (lstatSync(aside, { throwIfNoEntry: false })) unlinkSync(aside);
    throw thrown;
  }
}

const blobId = (body: Uint8Array): string => hasher("sha1").update(`blob ${body.length}\0`).update(body).digest("hex");

/** Nothing where there is nothing, also below what is no directory. */
function statAt(full: string): Stats | undefined {
  try {
    return lstatSync(onDisk(full), { throwIfNoEntry: false });
  } catch (thrown) {
    if (codeOf(thrown) === "ENOTDIR") return undefined;
    throw thrown;
  }
}
