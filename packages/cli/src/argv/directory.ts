import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Values } from "@pith/coder";
import { fail, mayFoldAt, ok, type Result, realPath, spelledLike } from "@pith/kit";

/** The directory to work in: the one that was named, or the present one. */
export function workDirectory(named: string | undefined, cwd: string): Result<string, "usage"> {
  if (named === undefined) return ok(spelled(cwd));
  const directory = spelled(resolve(cwd, named));
  return statSync(directory, { throwIfNoEntry: false })?.isDirectory()
    ? ok(directory)
    : fail("usage", `--cwd: ${directory} is not a directory`);
}

/** The spelling of the disk, so that a project has one name where several lead to it. */
const spelled = (path: string): string => (mayFoldAt(path) ? spelledLike(path, realPath(path)) : path);

/** Other folders of the project, as the setting holds them; nothing when none was named. */
export function otherRoots(named: readonly string[] | undefined, cwd: string): Result<Values, "usage"> {
  const roots = (named ?? []).map((name) => resolve(cwd, name));
  const odd = roots.find(
    (directory) => directory.includes("\n") || !statSync(directory, { throwIfNoEntry: false })?.isDirectory(),
  );
  if (odd !== undefined) return fail("usage", `--add-dir: ${odd} is not a directory`);
  return ok(roots.length > 0 ? { "project.roots": roots.join("\n") } : {});
}
