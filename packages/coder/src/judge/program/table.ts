import { posix } from "node:path";
import { changing } from "./files.ts";
import { versioning } from "./git.ts";
import { talking } from "./net.ts";
import { readers, reading } from "./read.ts";
import { machine } from "./rows.ts";
import { running } from "./run.ts";
import type { Program } from "./spec.ts";

const all = new Map<string, Program>(
  [reading, changing, running, talking, machine, versioning].flatMap((table) => Object.entries(table)),
);

/** Folders whose programs are the ones that are meant by their names. */
const standard = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/([^/]+)$/;

/** Finds what is known of a program; undefined for any other. */
export function programOf(
  word: string,
  where: "standard" | "anywhere" = "standard",
): { name: string; program: Program } | undefined {
  const placed = where === "anywhere" ? posix.basename(word) : standard.exec(word)?.[1];
  const name = word.includes("/") ? placed : word;
  if (name === undefined) return undefined;
  const program = all.get(name);
  if (program) return { name, program };
  // A file system may not tell `RM` from `rm`.
  const low = name.toLowerCase().replace(/\.exe$/, "");
  const same = all.get(low);
  return same && { name: low, program: same };
}

const reads = new Set(readers);

/** True for a program that usually only reads. */
export const isReader = (word: string): boolean => reads.has(standard.exec(word)?.[1] ?? word);
