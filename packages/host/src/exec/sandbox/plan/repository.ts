import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { entriesIn, isInside, linkStat } from "@pith/kit";
import { isGitDirectory, linkedBy, readRegular } from "../../../git/repository.ts";

export interface Repositories {
  /** Git directories that lie elsewhere and belong to a folder: both sides say so. */
  writable: string[];
  /** All git directories that can be written. */
  directories: string[];
  /** Directories that git reads, and a folder only claims to be its own. */
  claimed: string[];
  /** Paths that their configurations name, and git runs or reads. */
  referenced: string[];
}

/**
 * The git directories of some folders. A `.git` file is a claim that anybody can write; it opens a directory elsewhere
 * only where that one names the folder in turn.
 */
export function repositoriesOf(folders: readonly string[], trees: readonly string[]): Repositories {
  const writable: string[] = [];
  const directories = new Set<string>();
  const claimed = new Set<string>();
  for (const tree of new Set([...folders, ...trees])) {
    for (const dir of [tree, join(tree, ".git")]) if (isGitDirectory(dir)) directories.add(dir);
    for (const dir of pointedTo(tree)) claimed.add(dir);
    for (const dir of linked(tree)) {
      // By the name that both sides gave it: what that leads to could be another thing with every look.
      if (realOf(dir) !== dir || !isGitDirectory(dir)) continue;
      directories.add(dir);
      if (!folders.some((one) => isInside(one, dir))) writable.push(dir);
    }
  }
  for (const dir of [...directories]) for (const below of modules(dir)) directories.add(below);
  const all = [...directories];
  return {
    writable: [...new Set(writable)],
    directories: all,
    claimed: [...claimed].filter((dir) => !directories.has(dir)),
    referenced: all.slice(0, mostRead).flatMap((dir) => namedBy(dir)),
  };
}

/** The folder of hooks and the other files that a configuration names. */
export function namedBy(dir: string, config: string = textOf(join(dir, "config"), 1 << 20)): string[] {
  return valuesIn(config).flatMap(({ section, key, value }) => {
    if (section === "core" && key === "hookspath")
      return [resolve(basename(dir) === ".git" ? dirname(dir) : dir, value)];
    return /^include(?:if)?$/.test(section) && key === "path" ? [resolve(dir, value)] : [];
  });
}

/** The folder of hooks that a configuration of a git directory names. */
export function hooksPathIn(config: string, dir: string): string | undefined {
  const named = valuesIn(config).findLast(({ section, key }) => section === "core" && key === "hookspath");
  return named && resolve(basename(dir) === ".git" ? dirname(dir) : dir, named.value);
}

/** The folder of hooks that the user's own configuration names for all repositories; it may be relative to each. */
export function ownHooksPath(home: string): string | undefined {
  const files = [join(home, ".config/git/config"), join(home, ".gitconfig")].map((file) => textOf(file, 1 << 20));
  const named = files.flatMap(valuesIn).findLast(({ section, key }) => section === "core" && key === "hookspath");
  return named?.value.replace(/^~(?=\/)/, home);
}

function valuesIn(config: string): { section: string; key: string; value: string }[] {
  let section = "";
  return config.split("\n").map((line) => {
    section = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]?.toLowerCase() ?? section;
    const [, key = "", value = ""] = /^\s*(?:\[[^\]]*\]\s*)?(\w+)\s*=\s*"?([^"#;]+?)"?\s*(?:[#;].*)?$/.exec(line) ?? [];
    return { section, key: key.toLowerCase(), value };
  });
}

const mostRead = 200;

/** The directories of a linked work tree or a submodule. */
function linked(tree: string): string[] {
  const linkedTo = linkedBy(tree);
  if (linkedTo !== undefined) {
    const common = pointer(join(linkedTo, "commondir"), /^(.+)$/);
    // What a `commondir` says is a claim too: git itself keeps work trees in the folder of that name.
    const own = common !== undefined && realOf(dirname(dirname(linkedTo))) === realOf(common);
    return own ? [common, linkedTo] : [];
  }
  const named = pointer(join(tree, ".git"), /^gitdir: (.+)$/);
  if (named === undefined) return [];
  const back = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/m.exec(textOf(join(named, "config"), 1 << 20))?.[1];
  // Not where that leads by now: a folder that became a link would be another's, with a directory that names it.
  return back !== undefined && realOf(resolve(named, back)) === tree ? [named] : [];
}

/** The directories that git takes for those of a tree, by links and files, whatever they are. */
function pointedTo(tree: string): string[] {
  const here = join(tree, ".git");
  const stat = linkStat(here);
  if (!stat || stat.isDirectory()) return [];
  const dir = stat.isSymbolicLink() ? realOf(here) : pointer(here, /^gitdir: ([\s\S]+)$/);
  const real = dir === undefined ? undefined : realOf(dir);
  return real !== undefined && isGitDirectory(real) ? [real] : [];
}

const mostFolders = 400;

function modules(dir: string): string[] {
  const found: string[] = [];
  const walk = (at: string, depth: number) => {
    for (const entry of entriesIn(at)) {
      const below = join(at, entry.name);
      if (!entry.isDirectory() || found.length >= mostFolders) continue;
      if (isGitDirectory(below)) found.push(below);
      else if (depth < 4) walk(below, depth + 1);
    }
  };
  walk(join(dir, "modules"), 1);
  walk(join(dir, "worktrees"), 4);
  return found;
}

function pointer(file: string, line: RegExp): string | undefined {
  const named = line.exec(textOf(file, 8192).replace(/[\r\n]+$/, ""))?.[1];
  return named === undefined || named.includes("\0") ? undefined : resolve(dirname(file), named);
}

/** Reads a configuration; one that is unreadable or far too large says nothing. */
function textOf(file: string, maxBytes: number): string {
  try {
    return readRegular(file, { maxBytes, links: "refuse" })?.toString() ?? "";
  } catch {
    return "";
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
