import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail, isInside, ok, type Result, realPath } from "@pith/kit";

/** The file of a name below a directory; a name never leads out of it, not even through a link. */
export function fileIn(dir: string, name: string): Result<string, "url"> {
  const path = resolve(dir, name);
  if (name.includes("\0") || !isInside(realPath(dir), realPath(path)))
    return fail("url", `${name} leads out of its directory`);
  return ok(path);
}

/** The first of these directories that has the name, as a file. */
export function findIn(dirs: readonly string[], name: string): string | undefined {
  for (const dir of dirs) {
    const found = fileIn(dir, name);
    if (found.ok && statSync(found.value, { throwIfNoEntry: false })?.isFile()) return found.value;
  }
  return undefined;
}

/** Files below a directory, relative to it, sorted; none when it is not there. */
export function filesIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
}

/** What is there instead, for a name that is not. */
export const available = (names: readonly string[]): string =>
  `Available: ${names.length > 0 ? names.slice(0, 50).join(", ") : "none"}`;
