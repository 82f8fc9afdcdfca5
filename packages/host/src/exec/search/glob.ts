import { join } from "node:path";
import { openGlob } from "../../platform.ts";

export interface Glob {
  /** As much of the glob as ripgrep understands, so that it opens fewer files. */
  flags: string[];
  /** Tells whether a path below the root is meant. */
  matches(path: string): boolean;
}

/**
 * A file pattern, counted from the root. ripgrep's own include globs override ignore files, so including is done by a
 * file type, which does not and which knows names only; the path is checked here.
 */
export function parseGlob({ root, glob, except = [], hides }: FileSelection): Glob {
  const meant = glob === undefined ? undefined : openGlob(glob);
  const not = except.map((pattern) => openGlob(pattern));
  return {
    flags: glob === undefined ? [] : typeFlags(glob),
    matches: (path) =>
      (!meant || meant.match(path)) && !not.some((glob) => glob.match(`${root}/${path}`)) && !hides?.(join(root, path)),
  };
}

/** A choice of files below a directory. */
export interface FileSelection {
  root: string;
  /** A pattern for paths below the root; everything if absent. */
  glob?: string;
  /** Globs for absolute paths that are not meant. */
  except?: readonly string[];
  /** True for an absolute path that is not to be seen, whatever was asked for. */
  hides?(path: string): boolean;
}

function typeFlags(pattern: string): string[] {
  const name = pattern.slice(pattern.lastIndexOf("/") + 1);
  // A slash inside braces, or a name that says nothing, leaves the choice to `matches`.
  const known = name !== "" && !name.includes("**") && !name.includes(":") && braces(name);
  return known ? [`--type-add=pith:${name}`, "--type=pith"] : [];
}

const braces = (name: string): boolean => name.split("{").length === name.split("}").length;
