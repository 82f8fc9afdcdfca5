import { existsSync, lstatSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { harmfulLine, isGitDirectory } from "@pith/host";
import { isDirectory, readPlain } from "@pith/kit";

/** Tells if the user trusts a repository as it is. */
export type IsTrusted = (root: string) => boolean;

/** Tells why git must not run in a directory unasked: its repository's configuration may have it run something. */
export function gitDanger(directory: string, isTrusted: IsTrusted): string | undefined {
  if (!isDirectory(directory)) return "it is no directory";
  for (let at = directory; ; at = dirname(at)) {
    const dir = join(at, ".git");
    const stat = statOf(dir);
    if (stat === "hidden") return "its repository cannot be read";
    if (stat) return stat.isDirectory() ? repositoryDanger(at, dir, isTrusted) : "its repository lies elsewhere";
    if (isGitDirectory(at, existsSync)) return "it is in a repository without a work tree";
    if (dirname(at) === at) return "there is no repository";
  }
}

function repositoryDanger(root: string, dir: string, isTrusted: IsTrusted): string | undefined {
  // What git does not take for a repository it passes over, and looks further up.
  const head = readPlain(join(dir, "HEAD"), { maxBytes: 1024 });
  const isValid = head.ok && /^(?:ref: refs\/[\w./-]+|[0-9a-f]{40}|[0-9a-f]{64})\n$/.test(head.value);
  if (!isValid || !isGitDirectory(dir, existsSync)) return "its .git may be no repository";
  const config = readPlain(join(dir, "config"), { maxBytes: 64 * 1024 });
  if (!config.ok) return "the repository's configuration cannot be read";
  if (isTrusted(root)) return undefined;
  for (const name of ["commondir", "config.worktree", "objects/info/alternates", "objects/info/http-alternates"])
    if (existsSync(join(dir, name))) return `its repository has a file ${name}`;
  const line = harmfulLine(config.value, "do not count");
  return line && `the repository's configuration may have git run a program: ${line}`;
}

function statOf(path: string): Stats | "hidden" | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return "hidden";
  }
}
