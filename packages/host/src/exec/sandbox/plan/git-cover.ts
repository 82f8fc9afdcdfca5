import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { entriesIn, fileStat, hasher, linkStat, realPath } from "@pith/kit";
import { readRegular } from "../../../git/repository.ts";
import { harmfulLine, safeConfig } from "../guard/harmless.ts";
import type { ClosedPath } from "./closed.ts";
import { hooksPathIn } from "./repository.ts";

/** A file that stands in the place of another. */
export interface Replaced {
  path: string;
  by: string;
}

export interface GitCovers {
  /** Configurations that could have git run something, and folders of hooks, each with what stands in its place. */
  replaced: readonly Replaced[];
  /** Files that lead git to another configuration. */
  hidden: readonly ClosedPath[];
  /** Folders that are named by what stands in the place of something. */
  shown: readonly string[];
}

export interface GitCoverOptions {
  /** Folder for the files that stand in the place of others. */
  folder: string;
  isTrusted(root: string): boolean;
}

/** Finds what covers the repositories in which git would run programs that the user does not trust. */
export function gitCovers(directories: readonly string[], { folder, isTrusted }: GitCoverOptions): GitCovers {
  const untrusted = directories.filter((dir) => !isTrusted(rootOf(dir))).slice(0, mostCovered);
  const all = untrusted.map((dir) => {
    const print = printOf(dir);
    const before = known.get(`${folder} ${dir}`);
    if (before?.print === print) return before.covers;
    const covers = coversOf(dir, folder);
    if (known.size > 4 * mostCovered) known.clear();
    known.set(`${folder} ${dir}`, { print, covers });
    return covers;
  });
  return {
    replaced: all.flatMap(({ replaced }) => replaced),
    hidden: all.flatMap(({ hidden }) => hidden),
    shown: [...new Set(all.flatMap(({ shown }) => shown))],
  };
}

/** With more, a sandbox would take seconds. */
const mostCovered = 400;

/** Covers by folder and repository, for as long as no file that they depend on changes. */
const known = new Map<string, { print: string; covers: GitCovers }>();

const printOf = (dir: string): string =>
  ["config", "config.worktree", "hooks", "commondir"]
    .map((name) => {
      const stat = fileStat(join(dir, name));
      return stat && `${stat.dev}:${stat.ino}:${stat.ctimeMs}:${stat.size}`;
    })
    .join(" ");

/** The work tree that a git directory belongs to, or the directory itself. */
function rootOf(dir: string): string {
  const at = dir.search(/\/\.git(?:\/(?:modules|worktrees)\/|$)/);
  return at === -1 ? dir : dir.slice(0, at);
}

function coversOf(dir: string, folder: string): GitCovers {
  const replaced: Replaced[] = [];
  const shown: string[] = [];
  const config = textOf(realPath(join(dir, "config"))) ?? "";
  const named = hooksPathIn(config, dir);
  const skipped = skippedHooks(named ?? join(dir, "hooks"));
  const instead = skipped.length === 0 ? undefined : hooksInstead(folder, skipped);
  for (const name of ["config", "config.worktree"]) {
    const path = join(dir, name);
    // Git follows a link, and reads what is too large for us.
    const real = realPath(path);
    const isFile = fileStat(real)?.isDirectory() === false;
    const text = isFile ? (textOf(real) ?? unreadable) : "";
    if (harmfulLine(text, "count") === undefined) continue;
    const says = named !== undefined && instead !== undefined && name === "config";
    if (says) shown.push(instead);
    const more = says ? `[core]\n\thooksPath = ${instead}\n` : "";
    replaced.push({ path: real, by: written(folder, safeConfig(text, path) + more) });
  }
  const hooks = join(dir, "hooks");
  if (entriesIn(hooks).some(({ name }) => !name.endsWith(".sample")))
    replaced.push({ path: hooks, by: hooksInstead(folder, skippedHooks(hooks)) });
  return { replaced, hidden: leads(dir) ? [{ path: join(dir, "commondir"), kind: "file" }] : [], shown };
}

/** A line that means nothing. */
const unreadable = "unreadable";

/** True where a file leads git to a configuration elsewhere; a linked work tree has that of its repository. */
function leads(dir: string): boolean {
  const said = textOf(join(dir, "commondir"));
  if (said === undefined) return linkStat(join(dir, "commondir")) !== undefined;
  const own = dirname(dirname(dir));
  const isLinked = basename(dirname(dir)) === "worktrees" && said.replace(/\n$/, "") === said.trim();
  return !isLinked || /[\n\0]/.test(said.trim()) || realPath(resolve(dir, said.trim())) !== realPath(own);
}

/** The hooks of a folder that say something when they are not run: others are run all the time, unseen. */
function skippedHooks(folder: string): string[] {
  // The files in this folder of husky run those above, where there are some.
  const from = basename(folder) === "_" ? dirname(folder) : folder;
  return entriesIn(from)
    .map(({ name }) => name)
    .filter((name) => saying.has(name));
}

const saying = new Set(
  `pre-commit prepare-commit-msg commit-msg post-commit pre-merge-commit post-merge pre-push pre-rebase post-rewrite
  post-checkout applypatch-msg pre-applypatch`.split(/\s+/),
);

/** A folder of hooks that only say that others were not run. */
function hooksInstead(folder: string, names: readonly string[]): string {
  const own = join(folder, `hooks-${digest(names.join(" "))}`);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  for (const name of names) writeFileSync(join(own, name), hookInstead(name), { mode: 0o700 });
  return own;
}

const hookInstead = (name: string): string => `#!/bin/sh
echo 'pith: the hook ${name} was not run, because nobody trusts this repository yet: pith trust' >&2
`;

function written(folder: string, text: string): string {
  const file = join(folder, digest(text));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

const digest = (text: string): string => hasher("sha256").update(text).digest("hex").slice(0, 32);

function textOf(file: string): string | undefined {
  try {
    return readRegular(file, { maxBytes: 1 << 20, links: "refuse" })?.toString();
  } catch {
    return undefined;
  }
}
