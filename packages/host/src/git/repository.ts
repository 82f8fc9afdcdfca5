import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileStat } from "@pith/kit";

/** A repository, as far as ignore rules need it: nothing of its configuration is looked at. */
export interface Repository {
  /** The work tree's uppermost directory. */
  top: string;
  /** Where its index lies. */
  dir: string;
  /** Where `info/exclude` lies: of a linked work tree, the directory that all of them share. */
  common: string;
}

/** What a stranger's files would cost too much to find out, or what they are too damaged to tell. */
export class Unclear extends Error {}

/** The repository that a directory lies in. A `.git` file is followed to the directory that it names. */
export function repositoryOf(directory: string): Repository | undefined {
  for (let top = directory; ; top = dirname(top)) {
    const here = join(top, ".git");
    const stat = fileStat(here);
    if (stat?.isDirectory() && isGitDirectory(here)) return { top, dir: here, common: commonOf(here) };
    if (stat?.isFile()) {
      const named = pointerIn(here, /^gitdir: (.+)$/);
      if (named === undefined || !isGitDirectory(named)) return undefined;
      return { top, dir: named, common: commonOf(named) };
    }
    if (dirname(top) === top) return undefined;
  }
}

/** Whether there is something of a name; a link that leads nowhere is something, and git takes one for a HEAD. */
export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether a directory is a linked work tree that git itself has made: what it names names it back. */
export const isLinkedTree = (dir: string): boolean => linkedBy(dir) !== undefined;

/** The git directory of a linked work tree, as its file said when it was looked at, once. */
export function linkedBy(dir: string): string | undefined {
  const here = join(dir, ".git");
  // Nearly everywhere there is none, and to be told so costs less than an error.
  const named = isThere(here) ? pointerIn(here, /^gitdir: (.+)$/) : undefined;
  if (named === undefined || !isThere(join(named, "commondir"))) return undefined;
  return pointerIn(join(named, "gitdir"), /^(.+)$/) === here ? named : undefined;
}

/** Whether git would take a directory for a repository's, and do what its configuration says. */
export const isGitDirectory = (dir: string, exists: (path: string) => boolean = isThere): boolean => {
  const holds = (...names: string[]) => names.every((name) => exists(join(dir, name)));
  return holds("HEAD") && (holds("objects", "refs") || holds("commondir"));
};

export interface ReadLimits {
  maxBytes: number;
  /** A repository's links may lead anywhere; the user's own are meant. */
  links: "follow" | "refuse";
}

/** The bytes of a regular file, without ever waiting. Undefined when there is none to read; unclear when it is too large. */
export function readRegular(path: string | Buffer, { maxBytes, links }: ReadLimits): Buffer | undefined {
  let fd: number;
  try {
    const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
    fd = openSync(path, O_RDONLY | O_NONBLOCK | (links === "refuse" ? O_NOFOLLOW : 0));
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return undefined;
    if (stat.size > maxBytes) throw new Unclear("it is too large");
    const bytes = Buffer.allocUnsafe(stat.size);
    let length = 0;
    for (let n = 1; n > 0 && length < bytes.length; length += n)
      n = readSync(fd, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(fd);
  }
}

const commonOf = (dir: string): string => pointerIn(join(dir, "commondir"), /^(.+)$/) ?? dir;

/** The path that a file of one line names, counted from its folder. */
function pointerIn(file: string, line: RegExp): string | undefined {
  const text = readRegular(file, { maxBytes: 8192, links: "refuse" })?.toString();
  const named = text === undefined ? undefined : line.exec(text.replace(/[\r\n]+$/, ""))?.[1];
  return named === undefined || named.includes("\0") ? undefined : resolve(dirname(file), named);
}
