import { basename, dirname } from "node:path";
import { distance, isDirectory, realPath, tryOr } from "@pith/kit";
import { holdToRead } from "./hold/hold.ts";

export interface MissingPath {
  /** The deepest directory of the path that exists. */
  parent: string;
  /** The real path of the parent. */
  real: string;
  /** The first name of the path that is not in there. */
  missing: string;
  /** Names in there that look like the missing one. */
  names: string[];
  /** The target of the missing name, if it is a link to nowhere. */
  link: string | undefined;
}

/** Finds paths that a missing one may have meant. */
export function nearPath(path: string): MissingPath {
  let parent = dirname(path);
  let missing = basename(path);
  while (!isDirectory(parent) && dirname(parent) !== parent) {
    missing = basename(parent);
    parent = dirname(parent);
  }
  const real = realPath(parent);
  const { all, link } = tryOr(() => lookInto(real, missing), { all: [], link: undefined });
  return { parent, real, missing, names: alike(missing, all).filter((name) => name !== missing), link };
}

/** The names of a directory and one link in it, through one handle: nothing that takes its place is read. */
function lookInto(real: string, missing: string): { all: string[]; link: string | undefined } {
  const held = holdToRead(real);
  try {
    const all = held.list().slice(0, 5000);
    return { all: all.map(({ name }) => name.toString()), link: tryOr(() => held.readLink(missing).toString()) };
  } finally {
    held.close();
  }
}

function alike(wanted: string, names: readonly string[]): string[] {
  const limit = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  return names
    .map((name) => ({ name, far: distance(wanted.toLowerCase(), name.toLowerCase(), limit) }))
    .filter(({ name, far }) => far < limit || stem(name) === stem(wanted))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

const stem = (name: string): string => name.toLowerCase().replace(/\.[^.]+$/, "");
