import { dirname, join } from "node:path";
import { headBytes, readPlain } from "@pith/kit";
import { ownersFor } from "../setting/repository.ts";

export interface Instructions {
  path: string;
  text: string;
}

const maxBytes = 32 * 1024;
/** More than any instructions; only the beginning of it is told. */
const maxRead = 1024 * 1024;
const names = ["AGENTS.md", "CLAUDE.md"];

/**
 * What the project tells agents: the first of the known files in each directory from `root` down to `cwd`. They are
 * read, never run. A repository may come from a stranger and all of this goes to a server: what is not really a file of
 * the project, or above it belongs to somebody else, is left out, and `skipped` is told.
 */
export function projectInstructions(cwd: string, root: string, skipped: (what: string) => void): Instructions[] {
  const isOurs = ownersFor(cwd);
  return directories(cwd, root).flatMap((folder) => {
    for (const name of names) {
      const path = join(folder, name);
      const read = readPlain(path, { maxBytes: maxRead, within: root, owner: (uid) => isOurs(folder, uid) });
      const text = read.ok ? read.value.trim() : "";
      if (text) return [{ path, text: headBytes(text, maxBytes) }];
      if (!read.ok && read.kind !== "missing") skipped(`${path} is not read: it ${read.message}.`);
    }
    return [];
  });
}

function directories(cwd: string, root: string): string[] {
  const way: string[] = [];
  for (let at = cwd; ; at = dirname(at)) {
    way.unshift(at);
    if (at === root || dirname(at) === at) return way;
  }
}
