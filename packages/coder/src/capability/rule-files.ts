import { dirname, isAbsolute, join, matchesGlob, relative } from "node:path";
import { isInside } from "@pith/kit";
import type { Item } from "./item.ts";
import type { Look } from "./look.ts";

/** True when a rule is for a file; its globs count from the directory that has the rule. */
export function isFor({ data, level, file }: Item<"rule">, path: string, look: Look): boolean {
  const base =
    level === "user" ? look.place.root : (look.ways.find((way) => isInside(way, dirname(file))) ?? look.place.root);
  return data.globs.some((glob) => matches(glob, relative(base, absolute(path, look))));
}

/** True when a glob of the project matches a file. */
export const isNamed = (glob: string, path: string, look: Look): boolean =>
  matches(glob, relative(look.place.root, absolute(path, look)));

const absolute = (path: string, { place }: Look): string => (isAbsolute(path) ? path : join(place.cwd, path));

/** Matches a path; a glob without a slash matches names in any directory. */
const matches = (glob: string, path: string): boolean =>
  matchesGlob(path, glob.includes("/") ? glob.replace(/^\.?\//, "") : `**/${glob}`);
