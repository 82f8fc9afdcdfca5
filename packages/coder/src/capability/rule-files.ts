import { dirname, isAbsolute, join, matchesGlob, relative } from "node:path";
import { isInside } from "@pith/kit";
import type { ConfigFiles } from "./config-files.ts";
import type { Item } from "./item.ts";

/** True when a rule is for a file; its globs count from the directory that has the rule. */
export function isFor({ data, level, file }: Item<"rule">, path: string, files: ConfigFiles): boolean {
  const base =
    level === "user"
      ? files.place.root
      : (files.projectFolders.find((way) => isInside(way, dirname(file))) ?? files.place.root);
  return data.globs.some((glob) => matches(glob, relative(base, absolute(path, files))));
}

/** True when a glob of the project matches a file. */
export const isNamed = (glob: string, path: string, files: ConfigFiles): boolean =>
  matches(glob, relative(files.place.root, absolute(path, files)));

const absolute = (path: string, { place }: ConfigFiles): string => (isAbsolute(path) ? path : join(place.cwd, path));

/** Matches a path; a glob without a slash matches names in any directory. */
const matches = (glob: string, path: string): boolean =>
  matchesGlob(path, glob.includes("/") ? glob.replace(/^\.?\//, "") : `**/${glob}`);
