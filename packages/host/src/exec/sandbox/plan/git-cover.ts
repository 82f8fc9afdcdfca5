import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { entriesIn, hasher } from "@pith/kit";
import { readRegular } from "../../../git/repository.ts";
import { harmfulLine, safeConfig } from "../guard/harmless.ts";
import type { ClosedPath } from "./closed.ts";

/** A file that stands in the place of another. */
export interface Replaced {
  path: string;
  by: string;
}

export interface GitCovers {
  /** Configurations that could have git run something, each with one in which nothing does. */
  replaced: readonly Replaced[];
  /** Folders of hooks, and files that lead git to another configuration. */
  hidden: readonly ClosedPath[];
}

export interface GitCoverOptions {
  /** Folder for the files that stand in the place of others. */
  folder: string;
  isTrusted(root: string, config: string): boolean;
}

/** Finds what covers the repositories in which git would run programs that the user does not trust. */
export function gitCovers(directories: readonly string[], { folder, isTrusted }: GitCoverOptions): GitCovers {
  const replaced: Replaced[] = [];
  const hidden: ClosedPath[] = [];
  for (const dir of directories) {
    const config = textOf(join(dir, "config"));
    if (isTrusted(basename(dir) === ".git" ? dirname(dir) : dir, config ?? "")) continue;
    for (const name of ["config", "config.worktree"]) {
      const path = join(dir, name);
      const text = textOf(path);
      if (text !== undefined && harmfulLine(text, "count") !== undefined)
        replaced.push({ path, by: written(folder, safeConfig(text, path)) });
    }
    const hooks = join(dir, "hooks");
    if (entriesIn(hooks).some(({ name }) => !name.endsWith(".sample"))) hidden.push({ path: hooks, kind: "folder" });
    // Only a linked work tree has its configuration elsewhere.
    const common = join(dir, "commondir");
    if (basename(dirname(dir)) !== "worktrees" && textOf(common) !== undefined)
      hidden.push({ path: common, kind: "file" });
  }
  return { replaced, hidden };
}

function written(folder: string, text: string): string {
  const file = join(folder, hasher("sha256").update(text).digest("hex").slice(0, 32));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

function textOf(file: string): string | undefined {
  try {
    return readRegular(file, { maxBytes: 1 << 20, links: "refuse" })?.toString();
  } catch {
    return undefined;
  }
}
