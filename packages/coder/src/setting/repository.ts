import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "@pith/kit";

/** Returns the root of the repository of `cwd`. `skipped` is called with one that belongs to another user. */
export function repositoryRoot(cwd: string, skipped: (what: string) => void = () => {}): string | undefined {
  const isOurs = ownersFor(cwd);
  for (let at = cwd; ; at = dirname(at)) {
    const git = look(join(at, ".git"), lstatSync);
    if (git && [git, look(at)].every((stat) => stat && isOurs(at, stat.uid))) return at;
    if (git) skipped(`${join(at, ".git")} does not count: it, or the directory, belongs to another user.`);
    if (dirname(at) === at) return undefined;
  }
}

/**
 * Returns a test for the owners whose files count: the user, root and the owner of the working directory. In folders
 * above it, and in those that all may write to, as `/tmp`, anybody may have put files.
 */
export function ownersFor(cwd: string): (folder: string, uid: number) => boolean {
  const user = process.getuid?.();
  const here = look(cwd);
  const chosen = here !== undefined && (here.mode & 0o002) === 0;
  return (folder, uid) =>
    user === undefined || uid === user || uid === 0 || uid === here?.uid || (chosen && folder === cwd);
}

const look = (path: string, how: typeof statSync = statSync): Stats | undefined =>
  tryOr(() => how(path, { throwIfNoEntry: false }));
