import { capture } from "../exec/capture.ts";
import type { Env } from "../exec/env.ts";
import { bytesOf, nameOf } from "./name.ts";

/**
 * Which of these paths (relative to `root`) git ignores there. Undefined when there is no git to ask, or no repository.
 * Nothing of the repository's configuration that could start a program takes part.
 */
export async function ignoredBy(root: string, paths: readonly string[], env: Env): Promise<Set<string> | undefined> {
  const asked = await capture(
    ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "check-ignore", "-z", "--stdin"],
    {
      cwd: root,
      env: withoutGit(env),
      input: bytesOf(paths.map((path) => `./${path}\0`).join("")),
      timeoutMs: 5000,
    },
  );
  // 0: some are ignored; 1: none is; anything else: not a repository, or broken.
  if (!asked || asked.code > 1) return undefined;
  const names = nameOf(asked.out).split("\0").filter(Boolean);
  return new Set(names.map((path) => path.replace(/^\.\//, "")));
}

/** The caller's GIT_* variables point at the caller's repository, not at this one. */
function withoutGit(env: Env): Record<string, string> {
  const kept = Object.entries(env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !pair[0].startsWith("GIT_"),
  );
  return { ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
}
