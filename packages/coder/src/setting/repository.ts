import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The repository that holds `cwd`, if any. */
export function repositoryRoot(cwd: string): string | undefined {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}
