import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "@pith/kit";

/** Something that a command changed in a layer. */
export interface Discarded {
  /** The file; or the folder that holds all of the files, with a slash at its end. */
  path: string;
  /** The number of files, new ones and removed ones too. */
  files: number;
}

/** Names the changes in a layer over a folder; those in one folder at its top are named together. */
export function changesIn(upper: string, lower: string): Discarded[] {
  const changed: string[] = [];
  const walk = (folder: string) => {
    for (const entry of tryOr(() => readdirSync(join(upper, folder), { withFileTypes: true }), [])) {
      // So another program than the kernel marks what is gone, and a folder that stands in the place of one.
      if (/^\.wh\.\./.test(entry.name)) continue;
      const path = join(folder, entry.name.replace(/^\.wh\./, ""));
      const before = changed.length;
      if (before >= mostNamed) return;
      if (entry.isDirectory()) walk(path);
      // A folder that holds no change was made, or emptied; an empty one may only have been looked after.
      if (changed.length === before && !(entry.isDirectory() && isEmpty(join(lower, path))))
        changed.push(entry.isDirectory() ? `${path}/` : path);
    }
  };
  walk("");
  const groups = Map.groupBy(changed, (path) => path.split("/", 1)[0]);
  return [...groups.values()].map((paths) => ({ path: join(lower, sharedBy(paths)), files: paths.length }));
}

const isEmpty = (folder: string): boolean => tryOr(() => readdirSync(folder).length === 0, false);

/** The path itself, or the folder that all of some paths lie in. */
function sharedBy(paths: readonly string[]): string {
  const [first = ""] = paths;
  if (paths.length === 1) return first;
  let shared = dirname(first);
  while (!paths.every((path) => path.startsWith(`${shared}/`))) shared = dirname(shared);
  return `${shared}/`;
}

/** The changes that are counted: a command that builds all anew makes far more. */
export const mostNamed = 10_000;
