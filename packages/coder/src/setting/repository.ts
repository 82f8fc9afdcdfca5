import { lstatSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The repository that holds `cwd`, if any. `skipped` is told of one that somebody else has put there. */
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
 * Whom files are believed from that lie above the working directory, or in one that all may write to: the user, root,
 * and whoever owns the working directory. Anybody may have put others there, as in `/tmp`.
 */
export function ownersFor(cwd: string): (folder: string, uid: number) => boolean {
  const user = process.getuid?.();
  const here = look(cwd);
  const chosen = here !== undefined && (here.mode & 0o002) === 0;
  return (folder, uid) =>
    user === undefined || uid === user || uid === 0 || uid === here?.uid || (chosen && folder === cwd);
}

function look(path: string, how: typeof statSync = statSync): Stats | undefined {
  try {
    return how(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
