import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expandHome, isInside, realPath } from "@pith/kit";

/** The other folders of a project as the setting names them: one per line, relative ones from the working directory. */
export const readRoots = (text: string | undefined, cwd: string, userHome: string): string[] =>
  (text ?? "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => resolve(cwd, expandHome(line, userHome)));

/**
 * The absolute path of a relative one, read as people mean it who see folders by their names. With one folder, its own
 * name in front is left out, unless something in it has that name (a package is often called like its project) or the
 * rest leads to neither a file nor, for a new one, a directory. With several, new files go to the first; an existing
 * one is found in any. Files outside of them decide nothing: the name that is told would tell of them.
 */
export function inRoots(roots: readonly string[], argument: string): string {
  const [first = "", ...others] = roots;
  const path = argument.replace(/^\.\//, "");
  const slash = path.search(/[/\\]/);
  const head = slash === -1 ? path : path.slice(0, slash);
  const rest = slash === -1 ? "" : path.slice(slash + 1);
  const primary = resolve(first, argument);
  const isThere = (path: string) => isWithin(roots, path) && existsSync(path);
  if (others.length === 0) {
    const named = head !== "" && head === basename(first) && !isThere(join(first, head));
    const inner = resolve(first, rest);
    return named && (isThere(inner) || (dirname(inner) !== first && isThere(dirname(inner)))) ? inner : primary;
  }
  const named = roots.find((root) => basename(root) === head);
  if (named && rest === "") return named;
  const tries = [primary, ...others.map((root) => resolve(root, argument)), ...(named ? [resolve(named, rest)] : [])];
  return tries.find(isThere) ?? primary;
}

/** True for a path that is inside by its name and by the place where that leads. */
const isWithin = (roots: readonly string[], path: string): boolean =>
  roots.some((root) => isInside(root, path)) && roots.some((root) => isInside(realPath(root), realPath(path)));
