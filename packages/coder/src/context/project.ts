import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { headBytes } from "@pith/kit";

export interface Instructions {
  path: string;
  text: string;
}

const maxBytes = 32 * 1024;
const names = ["AGENTS.md", "CLAUDE.md"];

/**
 * What the project tells agents: the first of the known files in each directory from `root` down to `cwd`. They are
 * read, never run.
 */
export function projectInstructions(cwd: string, root: string): Instructions[] {
  return directories(cwd, root).flatMap((folder) => {
    for (const name of names) {
      const path = join(folder, name);
      const text = read(path);
      if (text) return [{ path, text: headBytes(text, maxBytes) }];
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

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
