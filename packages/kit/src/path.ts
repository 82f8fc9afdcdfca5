import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

/** Where pith keeps its own files: `PITH_HOME`, else `~/.pith`. */
export const pithHome = (env: Readonly<Record<string, string | undefined>>, home: string): string =>
  env.PITH_HOME ? resolve(env.PITH_HOME) : join(home, ".pith");

export function expandHome(path: string, home: string): string {
  if (path === "~") return home;
  return path.startsWith("~/") ? join(home, path.slice(2)) : path;
}

/** True for `root` itself and everything below it. Both must be absolute; resolve links first where it matters. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith("../") && !way.startsWith("..\\"));
}

/**
 * The real path, with links resolved as far as the path exists; the rest is appended as it stands. A dangling link
 * counts as its target.
 */
export function realPath(path: string, hops = 40): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || hops === 0) return path;
    const here = join(realPath(parent, hops - 1), basename(path));
    const target = linkTarget(here);
    return target === undefined ? here : realPath(resolve(dirname(here), target), hops - 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** How a path is shown: relative to `root` when inside it, absolute otherwise. */
export function showPath(root: string, path: string): string {
  if (!isInside(root, path)) return path;
  return relative(root, path) || ".";
}
