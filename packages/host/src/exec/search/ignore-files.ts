import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "@pith/kit";
import { ignoredBy } from "../../git/ignore.ts";
import type { Env } from "../env.ts";

/** Splits the reading of ignore files between ripgrep and us. */
export interface IgnoreFiles {
  flags: readonly string[];
  /** The paths below the root that git ignores, where we read what ripgrep may not; none where it may. */
  ignored(paths: readonly string[], env?: Env): ReadonlySet<string>;
}

/**
 * ripgrep opens ignore files whatever they are: a link would tell lines of any file by what is left out, and a pipe
 * would hold it up. Where one that counts for a directory is no regular file, its kind is read by us, or not at all.
 */
export function ignoreFiles(root: string, ignores: "on" | "off" = "on"): IgnoreFiles {
  if (ignores === "off") return { flags: ["--no-ignore"], ignored: () => new Set() };
  const flags = new Set<string>();
  for (let at = root; ; at = dirname(at)) {
    if (isOdd(join(at, ".gitignore"), "file")) flags.add("--no-ignore-vcs");
    if ([".ignore", ".rgignore"].some((name) => isOdd(join(at, name), "file"))) flags.add("--no-ignore-dot");
    if (isOdd(join(at, ".git"), "either") || isOdd(join(at, ".git/info"), "folder")) flags.add("--no-ignore-exclude");
    if (isOdd(join(at, ".git/info/exclude"), "file")) flags.add("--no-ignore-exclude");
    if (dirname(at) === at) break;
  }
  const ours = flags.has("--no-ignore-vcs");
  return { flags: [...flags], ignored: (paths, env = {}) => (ours && ignoredBy(root, paths, env)) || new Set() };
}

function isOdd(path: string, wanted: "file" | "folder" | "either"): boolean {
  const stat = tryOr(() => lstatSync(path, { throwIfNoEntry: false }));
  return !!stat && !((wanted !== "folder" && stat.isFile()) || (wanted !== "file" && stat.isDirectory()));
}
