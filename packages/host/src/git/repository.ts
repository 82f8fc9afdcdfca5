import { constants, fstatSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { closing, fileStat, linkStat, readRange, tryOr } from "@pith/kit";

/** The directories of a repository. */
export interface Repository {
  /** The top of the work tree. */
  top: string;
  /** The directory of the index. */
  dir: string;
  /** The directory of `info/exclude`, which all linked work trees share. */
  common: string;
}

/** Thrown for files of a repository that are damaged, or too large to read. */
export class Unclear extends Error {}

/** The repository of a directory. Follows a `.git` file to the directory that it names. */
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

/** True when a path exists; a dangling link counts, because git takes one for a HEAD. */
export const isThere = (path: string): boolean => linkStat(path) !== undefined;

/** True for a linked work tree that git has made: the directory that it names points back. */
export const isLinkedTree = (dir: string): boolean => linkedBy(dir) !== undefined;

/** The git directory of a linked work tree, from one reading of its file. */
export function linkedBy(dir: string): string | undefined {
  const here = join(dir, ".git");
  // Checked first, because an error costs more, and there is nearly never a file.
  const named = isThere(here) ? pointerIn(here, /^gitdir: (.+)$/) : undefined;
  if (named === undefined || !isThere(join(named, "commondir"))) return undefined;
  return pointerIn(join(named, "gitdir"), /^(.+)$/) === here ? named : undefined;
}

/** True for a directory that git takes for a repository, whose configuration it obeys. */
export const isGitDirectory = (dir: string, exists: (path: string) => boolean = isThere): boolean => {
  const holds = (...names: string[]) => names.every((name) => exists(join(dir, name)));
  return holds("HEAD") && (holds("objects", "refs") || holds("commondir"));
};

interface ReadLimits {
  maxBytes: number;
  /** `refuse` for files of a repository, whose links may lead anywhere. */
  links: "follow" | "refuse";
}

/** Reads a regular file, without ever waiting. Undefined if there is none; throws `Unclear` if it is too large. */
export function readRegular(path: string | Buffer, { maxBytes, links }: ReadLimits): Buffer | undefined {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const fd = tryOr(() => openSync(path, O_RDONLY | O_NONBLOCK | (links === "refuse" ? O_NOFOLLOW : 0)));
  if (fd === undefined) return undefined;
  using _ = closing(fd);
  const stat = fstatSync(fd);
  if (!stat.isFile()) return undefined;
  if (stat.size > maxBytes) throw new Unclear("it is too large");
  return readRange(fd, 0, stat.size);
}

const commonOf = (dir: string): string => pointerIn(join(dir, "commondir"), /^(.+)$/) ?? dir;

/** The path in a file of one line, relative to its directory. */
function pointerIn(file: string, line: RegExp): string | undefined {
  const text = readRegular(file, { maxBytes: 8192, links: "refuse" })?.toString();
  const named = text === undefined ? undefined : line.exec(text.replace(/[\r\n]+$/, ""))?.[1];
  return named === undefined || named.includes("\0") ? undefined : resolve(dirname(file), named);
}
