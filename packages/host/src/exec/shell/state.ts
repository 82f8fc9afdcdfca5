import { readFileSync, rmSync } from "node:fs";
import { endOf } from "./script.ts";

/** What a command begins with: what the last finished one left. Its file stays while one may still read it. */
export interface State {
  file: string;
  cwd: string;
  /** Options of `set -o` that a new shell would not have. */
  options: readonly string[];
  /** How the command before ended. */
  status: number;
  hold(): void;
  release(): void;
  /** It is not the newest any more. */
  retire(): void;
}

export function stateOf(facts: Pick<State, "file" | "cwd" | "options" | "status">): State {
  let users = 0;
  let retired = false;
  const clean = () => {
    if (retired && users === 0) rmSync(facts.file, { force: true });
  };
  return {
    ...facts,
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

/** What a shell wrote into the file of a state, if all of it is there. */
export function writtenState(
  file: string,
  cookie: string,
): { body: Buffer; options: string[]; cwd: string } | undefined {
  try {
    const all = readFileSync(file);
    const mark = endOf(cookie);
    const at = all.lastIndexOf(mark);
    const [options = "", ...lines] = at === -1 ? [] : all.toString("utf8", at + mark.length).split("\n");
    const cwd = lines.join("\n").slice(0, -1);
    if (cwd === "") return undefined;
    return {
      body: all.subarray(0, all.lastIndexOf(lf, at) + 1),
      options: options.split(":").filter((option) => option !== "" && !usual.has(option)),
      cwd,
    };
  } catch {
    // It was never written.
    return undefined;
  }
}

const lf = 10;
const usual = new Set(["braceexpand", "hashall", "interactive-comments"]);
