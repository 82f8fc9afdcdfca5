import { readdirSync, readlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isDirectory, realPath } from "@pith/kit";
import { grip } from "./hold.ts";

export interface Near {
  parent: string;
  /** Where that leads. */
  real: string;
  /** The first name of the path that is not in there. */
  missing: string;
  names: string[];
  /** Where that name leads, when it is a link to nowhere. */
  link: string | undefined;
}

/** What a missing path may have meant: the deepest directory that exists and names in it that look alike. */
export function nearPath(path: string): Near {
  let parent = dirname(path);
  let missing = basename(path);
  while (!isDirectory(parent) && dirname(parent) !== parent) {
    missing = basename(parent);
    parent = dirname(parent);
  }
  const real = realPath(parent);
  const { all, link } = lookInto(real, missing);
  return { parent, real, missing, names: alike(missing, all).filter((name) => name !== missing), link };
}

/** All of it through one handle: whatever takes the place of the directory is not looked into. */
function lookInto(real: string, missing: string): { all: string[]; link: string | undefined } {
  try {
    const held = grip(real);
    try {
      return { all: readdirSync(held.way).slice(0, 5000), link: linkOf(`${held.way}/${missing}`) };
    } finally {
      held.close();
    }
  } catch {
    return { all: [], link: undefined };
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function alike(wanted: string, names: readonly string[]): string[] {
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return names
    .map((name) => ({ name, far: distance(wanted.toLowerCase(), name.toLowerCase(), allowed) }))
    .filter(({ name, far }) => far <= allowed || stem(name) === stem(wanted))
    .sort((a, b) => a.far - b.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Edit distance, in which two neighbours that changed places count once; given up beyond `max`. */
function distance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : change;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? max + 1;
}

const stem = (name: string): string => name.toLowerCase().replace(/\.[^.]+$/, "");
