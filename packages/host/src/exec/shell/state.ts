import { readFileSync, unlinkSync } from "node:fs";
import type { StateFiles } from "./script.ts";

/** What a command begins with: what the last finished one left. Its files stay while one may still read them. */
export interface State {
  cwd: string;
  files: StateFiles;
  hold(): void;
  release(): void;
  /** It is not the newest any more. */
  retire(): void;
}

export function stateOf(cwd: string, files: StateFiles): State {
  let users = 0;
  let retired = false;
  const clean = () => {
    if (retired && users === 0) removeState(files);
  };
  return {
    cwd,
    files,
    hold: () => void users++,
    release() {
      users--;
      clean();
    },
    retire() {
      retired = true;
      clean();
    },
  };
}

/** The directory of a state that was written to its end. */
export function writtenCwd(files: StateFiles): string | undefined {
  try {
    return readFileSync(files.cwd, "utf8").replace(/\n$/, "") || undefined;
  } catch {
    return undefined;
  }
}

export function removeState(files: StateFiles): void {
  for (const file of [files.vars, files.options, files.cwd]) {
    try {
      unlinkSync(file);
    } catch {
      // It was never written, or the whole folder is gone.
    }
  }
}
