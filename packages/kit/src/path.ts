import { type Dirent, lstatSync, readdirSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { tryOr } from "./value.ts";

/** The directory of pith's own files: `PITH_HOME`, else `~/.pith`. */
export const pithHome = (env: Readonly<Record<string, string | undefined>>, home: string): string =>
  env.PITH_HOME ? resolve(expandHome(env.PITH_HOME, home)) : join(home, ".pith");

export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}

/**
 * True for `root` itself and everything below it. Both must be absolute; resolve links first where it matters. What no
 * file can be called lies nowhere.
 */
export function isInside(root: string, path: string): boolean {
  if (path.includes("\0")) return false;
  // Nearly always the names alone tell it.
  if (path.startsWith(root) && path[root.length] === "/" && !path.includes("/..", root.length)) return true;
  const way = relative(root, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../") && !way.startsWith("..\\"));
}

/**
 * The real path, with links resolved as far as the path exists; the rest is appended as it stands. A dangling link
 * counts as its target. A path that cannot be followed to its end (a loop, or more links than the system follows) is
 * answered by one that lies in no folder and that no file can have, so whoever judges or opens it fails.
 */
export function realPath(path: string): string {
  return tryOr(() => realpathSync.native(path)) ?? followed(resolve(path));
}

/** As many as Linux follows. */
const maxLinks = 40;

/** Name by name, as the system does it: `..` in a link leads up from where the link led, not from where it is written. */
function followed(path: string): string {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep).reverse();
  let at = root;
  let links = 0;
  for (let name = names.pop(); name !== undefined; name = names.pop()) {
    const target = linkTarget(join(at, name));
    if (target === undefined) {
      at = join(at, name);
      continue;
    }
    if (++links > maxLinks) return `${root}\0 too many links: ${path}`;
    names.push(...target.split(sep).reverse());
    if (isAbsolute(target)) at = parse(target).root;
  }
  return at;
}

const linkTarget = (path: string): string | undefined =>
  tryOr(() => (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined));

/** The state of a file, links followed; undefined if it is not there or cannot be reached. */
export const fileStat = (path: string): Stats | undefined => tryOr(() => statSync(path, { throwIfNoEntry: false }));

/** The state of a path itself, links not followed; undefined if it is not there or cannot be reached. */
export const linkStat = (path: string): Stats | undefined => tryOr(() => lstatSync(path, { throwIfNoEntry: false }));

export const isDirectory = (path: string): boolean => fileStat(path)?.isDirectory() ?? false;

/** The entries of a directory; none if it cannot be read. */
export const entriesIn = (directory: string): Dirent[] =>
  tryOr(() => readdirSync(directory, { withFileTypes: true }), []);

/** The path as it is shown: relative to `root` if inside it, else absolute. */
export function showPath(root: string, path: string): string {
  if (!isInside(root, path)) return path;
  return relative(root, path) || ".";
}
