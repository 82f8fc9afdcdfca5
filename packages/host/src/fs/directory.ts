import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result } from "@pith/kit";
import { type FsKind, fsFailure } from "./failure.ts";

export interface DirectoryEntry {
  name: string;
  /** What a link points to, not the link; a dangling link is "other". */
  type: "directory" | "file" | "other";
  link?: true;
  /** Bytes of a file. */
  size?: number;
}

export interface Listing {
  entries: DirectoryEntry[];
  total: number;
}

/** The first `max` entries of a directory: directories first, then by name. */
export function listDirectory(path: string, max: number): Result<Listing, FsKind> {
  try {
    const all = readdirSync(path, { withFileTypes: true }).map((entry) => ({ entry, directory: isDirectory(path, entry) }));
    all.sort((a, b) => Number(b.directory) - Number(a.directory) || (a.entry.name < b.entry.name ? -1 : 1));
    return ok({ entries: all.slice(0, max).map(({ entry, directory }) => describe(path, entry, directory)), total: all.length });
  } catch (thrown) {
    return fsFailure(path, thrown);
  }
}

function describe(parent: string, entry: Dirent, directory: boolean): DirectoryEntry {
  const link = entry.isSymbolicLink() && { link: true as const };
  if (directory) return { name: entry.name, type: "directory", ...link };
  const stat = entry.isFile() || link ? statOf(join(parent, entry.name), link ? statSync : lstatSync) : undefined;
  return stat?.isFile() ? { name: entry.name, type: "file", ...link, size: stat.size } : { name: entry.name, type: "other", ...link };
}

const isDirectory = (parent: string, entry: Dirent): boolean =>
  entry.isDirectory() || (entry.isSymbolicLink() && statOf(join(parent, entry.name), statSync)?.isDirectory() === true);

/** An entry may vanish, or a link may dangle, between the listing and the look. */
function statOf(path: string, look: typeof statSync | typeof lstatSync) {
  try {
    return look(path);
  } catch {
    return undefined;
  }
}
