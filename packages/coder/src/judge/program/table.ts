import { posix } from "node:path";
import { packing } from "./archive.ts";
import { building } from "./build.ts";
import { changing } from "./change.ts";
import { coding } from "./code.ts";
import { finding } from "./find.ts";
import { versioning } from "./git/git.ts";
import { talking } from "./net.ts";
import type { Program } from "./plain.ts";
import { readers } from "./read.ts";
import { shelling } from "./shell.ts";
import { ruling } from "./system.ts";
import { rewriting } from "./text.ts";
import { wrapping } from "./wrap.ts";

const all = new Map<string, Program>(
  [
    readers,
    finding,
    rewriting,
    changing,
    packing,
    coding,
    shelling,
    wrapping,
    talking,
    building,
    ruling,
    versioning,
  ].flatMap((table) => Object.entries(table)),
);

/** Folders whose programs are the ones that are meant by their names. */
const standard = /^(?:\/usr(?:\/local)?|\/opt\/homebrew)?\/s?bin\/([^/]+)$/;

/** What a program does that is known; undefined for any other. */
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
