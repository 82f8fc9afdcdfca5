import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { entriesIn, fail, isInside, isUnlinked, ok, type Result, realPath } from "@pith/kit";

/**
 * A directory whose files have addresses. It must really stand below its root (the project, pith's home, the place of a
 * session): a repository can hold a link to anywhere, and addresses are read without a question.
 */
export interface Folder {
  root: string;
  /** Relative to the root. */
  at: string;
  /** Whether it may be a link to another place below the root. */
  links: "followed" | "refused";
}

/** The directory beside a session's record, or one in it; a record may come from a stranger. */
export const sessionFolder = (sessionDir: string, below = ""): Folder => ({
  root: dirname(sessionDir),
  at: join(basename(sessionDir), below),
  links: "refused",
});

/** The file of a name below a folder; neither the folder nor the name leads out, not even through a link. */
export function fileIn(folder: Folder, name: string): Result<string, "url"> {
  const dir = dirOf(folder);
  if (dir === undefined) return fail("url", `${folder.at} leads out of ${folder.root}`);
  const path = resolve(dir, name);
  if (name.includes("\0") || !isInside(realPath(dir), realPath(path)))
    return fail("url", `${name} leads out of its directory`);
  return ok(path);
}

/** The first of these folders that has the name, as a file. */
export function findIn(folders: readonly Folder[], name: string): string | undefined {
  for (const folder of folders) {
    const file = fileIn(folder, name);
    if (file.ok && statSync(file.value, { throwIfNoEntry: false })?.isFile()) return file.value;
  }
  return undefined;
}

/** More than any list that is worth a look. */
const maxListed = 2000;

/** Files below a folder, relative to it, sorted; none when it is not there, or leads elsewhere. No link is followed. */
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

/** What is there instead, for a name that is not. */
export const available = (names: readonly string[]): string =>
  `Available: ${names.length > 0 ? names.slice(0, 50).join(", ") : "none"}`;
