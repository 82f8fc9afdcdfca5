import { readdirSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { realPath } from "@pith/kit";
import { grip } from "./hold.ts";

/** The deepest directory of a path that exists, where that leads, and names in it that look alike. */
export interface Near {
  parent: string;
  real: string;
  missing: string;
  names: string[];
}

/** What a missing path may have meant. */
export function nearPath(path: string): Near {
  let parent = dirname(path);
  let missing = basename(path);
  while (!isDirectory(parent) && dirname(parent) !== parent) {
    missing = basename(parent);
    parent = dirname(parent);
  }
  const real = realPath(parent);
  return { parent, real, missing, names: alike(missing, namesIn(real)) };
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

function namesIn(path: string): string[] {
  try {
    const held = grip(path);
    try {
      return readdirSync(held.way).slice(0, 5000);
    } finally {
      held.close();
    }
  } catch {
    return [];
  }
}

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
