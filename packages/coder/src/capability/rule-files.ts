import { dirname, isAbsolute, join, matchesGlob, relative } from "node:path";
import { isInside } from "@pith/kit";
import type { Item } from "./item.ts";
import type { Look } from "./look.ts";

/** Whether a rule is for a file. A glob is meant from the folder that has the rule. */
export function isFor({ data, level, file }: Item<"rule">, path: string, look: Look): boolean {
  const base =
    level === "user" ? look.place.root : (look.ways.find((way) => isInside(way, dirname(file))) ?? look.place.root);
  return data.globs.some((glob) => matches(glob, relative(base, absolute(path, look))));
}

/** Whether files that are named so in the project are meant. */
export const isNamed = (glob: string, path: string, look: Look): boolean =>
  matches(glob, relative(look.place.root, absolute(path, look)));

const absolute = (path: string, { place }: Look): string => (isAbsolute(path) ? path : join(place.cwd, path));

/** One without a slash is for names anywhere. */
const matches = (glob: string, path: string): boolean =>
  matchesGlob(path, glob.includes("/") ? glob.replace(/^\.?\//, "") : `**/${glob}`);
