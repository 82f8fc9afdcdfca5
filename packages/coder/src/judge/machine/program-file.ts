import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { isBelow } from "../path-kind.ts";
import type { ProgramFile } from "../state.ts";

/** Files that are many programs, which tell by their name which one is meant. */
const many = /^(?:busybox|coreutils|toybox)/;

/** Folders whose scripts are the system's. */
const systems = /^\/(?:usr|bin|sbin|opt\/homebrew|nix)\//;

/**
 * Finds programs by a search path. A program counts whose real file lies outside of the folders that others may write,
 * and belongs to root or to the user; a script only where it is the system's.
 */
export function programFinder(searchPath: string, open: readonly string[]): (name: string) => ProgramFile | undefined {
  const found = new Map<string, ProgramFile | undefined>();
  const folders = searchPath.split(":");
  return (name) => {
    if (found.has(name)) return found.get(name);
    const file = folders.map((folder) => lookedUp(folder, name, open)).find((one) => one !== undefined);
    found.set(name, file === "unsafe" ? undefined : file);
    return found.get(name);
  };
}

function lookedUp(folder: string, name: string, open: readonly string[]): ProgramFile | "unsafe" | undefined {
  // The program that a folder without a beginning holds depends on where the command stands.
  if (!isAbsolute(folder)) return "unsafe";
  try {
    const real = realpathSync(join(folder, name));
    const stat = statSync(real);
    if (!stat.isFile() || (stat.mode & 0o111) === 0) return undefined;
    const isOurs = stat.uid === 0 || stat.uid === process.getuid?.();
    if (!isOurs || (stat.mode & 0o002) !== 0 || open.some((one) => isBelow(one, real))) return "unsafe";
    // A script of the user's may look into the project for what to run.
    if (!systems.test(real) && isScript(real)) return "unsafe";
    if (many.test(basename(real))) return { call: [real, name], flavor: real.includes("busybox") ? "busybox" : "gnu" };
    return { call: [real], flavor: process.platform === "linux" ? "gnu" : "bsd" };
  } catch {
    return undefined;
  }
}

function isScript(file: string): boolean {
  const first = Buffer.alloc(2);
  const descriptor = openSync(file, "r");
  readSync(descriptor, first);
  closeSync(descriptor);
  return first.toString("latin1") === "#!";
}
