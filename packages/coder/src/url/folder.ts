import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { entriesIn, fail, isInside, isUnlinked, ok, type Result, realPath } from "@pith/kit";

/**
 * A directory whose files have addresses. It must really be below its root, because a repository can hold links to
 * anywhere, and addresses are read without a question.
 */
export interface Folder {
  root: string;
  /** Relative to the root. */
  at: string;
  /** Links to other places below the root may be followed. */
  links: "followed" | "refused";
}

/** Makes the folder beside a session's record, or one in it. Links are refused: a record may come from a stranger. */
export const sessionFolder = (sessionDir: string, below = ""): Folder => ({
  root: dirname(sessionDir),
  at: join(basename(sessionDir), below),
  links: "refused",
});

/** Returns the file of a name below a folder, unless it leads out of it. */
export function fileIn(folder: Folder, name: string): Result<string, "url"> {
  const dir = dirOf(folder);
  if (dir === undefined) return fail("url", `${folder.at} leads out of ${folder.root}`);
  const path = resolve(dir, name);
  if (name.includes("\0") || !isInside(realPath(dir), realPath(path)))
    return fail("url", `${name} leads out of its directory`);
  return ok(path);
}

/** Finds a file of this name in the first folder that has one. */
export function findIn(folders: readonly Folder[], name: string): string | undefined {
  for (const folder of folders) {
    const file = fileIn(folder, name);
    if (file.ok && statSync(file.value, { throwIfNoEntry: false })?.isFile()) return file.value;
  }
  return undefined;
}

const maxListed = 2000;

/** Lists files below a folder, sorted, by relative paths. No link is followed. */
export function filesIn(folder: Folder): string[] {
  const dir = dirOf(folder);
  const files: string[] = [];
  const folders = dir === undefined ? [] : [""];
  for (let below = folders.pop(); below !== undefined && files.length < maxListed; below = folders.pop())
    for (const entry of entriesIn(join(dir ?? "", below))) {
      if (entry.isFile()) files.push(join(below, entry.name));
      else if (entry.isDirectory()) folders.push(join(below, entry.name));
    }
  return files.sort();
}

function dirOf({ root, at, links }: Folder): string | undefined {
  const dir = join(root, at);
  return (links === "refused" ? isUnlinked(root, at) : isInside(realPath(root), realPath(dir))) ? dir : undefined;
}

/** Lists the names that are there, for the answer about one that is not. */
export const available = (names: readonly string[]): string =>
  `Available: ${names.length > 0 ? names.slice(0, 50).join(", ") : "none"}`;
