import { type Stats, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { rawPath } from "@pith/host";
import { expandHome, showPath } from "@pith/kit";
import { inRoots } from "./root.ts";

/** Where path arguments are read from. */
export interface PathBase {
  cwd: string;
  userHome: string;
  /** Other folders of the project; a path may mean a file in one of them. */
  roots?: readonly string[];
  /** The real path behind one below `/tmp`, which commands of the session see as a folder of their own. */
  tmp?: (path: string) => string;
}

/**
 * The absolute path an argument means: relative to the working directory; `~` and `file://` are understood, a mention's
 * `@` is taken off (`./@x` names a file that begins with one), and a name is read as `oneLine` shows it. None of that
 * looks at what exists: what a name means must not change with a file that somebody makes.
 */
export function resolvePath(base: PathBase, argument: string): string {
  if (argument.startsWith("file://")) {
    const named = fromUrl(argument);
    return named === undefined ? resolve(base.cwd, argument) : (base.tmp?.(named) ?? named);
  }
  const name = unescaped(argument.replace(/^@(?=.)/s, ""));
  const path = expandHome(name, base.userHome);
  const { tmp = (real: string) => real } = base;
  return isAbsolute(path) ? tmp(resolve(path)) : inRoots([base.cwd, ...(base.roots ?? [])], path);
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * A name as it is shown among others: a line break in it would make it two, and a terminal may obey other signs. What
 * looks like such an escape already gets a second backslash, so that `resolvePath` can tell them apart.
 */
export const oneLine = (name: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is shown
  name.replace(/\\(?=[\\nrtx\x01-\x1f\x7f])|[\x01-\x1f\x7f]/g, (sign) => {
    if (sign === "\\") return "\\\\";
    return escapes[sign] ?? `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });

const unescaped = (name: string): string =>
  name.replace(/\\(?:[\\nrt]|x(?:0[1-9a-f]|1[\da-f]|7f))/g, (shown) => {
    if (shown === "\\\\") return "\\";
    const sign = Object.keys(escapes).find((key) => escapes[key] === shown);
    return sign ?? String.fromCharCode(Number.parseInt(shown.slice(2), 16));
  });

/** A path as a glob that means just that. */
export const literalGlob = (path: string): string => path.replace(/[*?[\]{}!\\]/g, "\\$&");

/** What stands at a path, if anything that we may look at. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(rawPath(path));
  } catch {
    return undefined;
  }
}

/** A path by the name that the model knows it by, and can give back. */
export function nameOf(cwd: string, path: string): string {
  const name = oneLine(showPath(cwd, path));
  return name.startsWith("@") ? `./${name}` : name;
}

function fromUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
