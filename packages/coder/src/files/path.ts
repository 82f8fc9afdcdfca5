import { type Stats, statSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rawPath } from "@pith/host";
import { expandHome, showPath, tryOr } from "@pith/kit";
import { inRoots } from "./root.ts";

/** The folders that path arguments start from. */
export interface PathBase {
  cwd: string;
  userHome: string;
  /** Other folders of the project; a path may mean a file in one of them. */
  roots?: readonly string[];
  /** Gives the real path behind one below `/tmp`, which commands of the session see as a folder of their own. */
  tmp?: (path: string) => string;
}

/**
 * The absolute path an argument means: relative to the working directory; `~` and `file://` are understood, a mention's
 * `@` is taken off (`./@x` names a file that begins with one), and a name is read as `escapeName` shows it. None of
 * that depends on files that exist: somebody may make one.
 */
export function resolvePath(base: PathBase, argument: string): string {
  if (argument.startsWith("file://")) {
    const named = tryOr(() => fileURLToPath(argument));
    return named === undefined ? resolve(base.cwd, argument) : (base.tmp?.(named) ?? named);
  }
  const name = unescaped(argument.replace(/^@(?=.)/s, ""));
  const path = expandHome(name, base.userHome);
  const { tmp = (real: string) => real } = base;
  return isAbsolute(path) ? tmp(resolve(path)) : inRoots([base.cwd, ...(base.roots ?? [])], path);
}

/** On Windows a backslash stands between names, and no name has signs that would need one before it. */
const hasEscapes = sep === "/";

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * A name as it is shown among others: a line break in it would make it two, and a terminal may obey other signs. A text
 * that looks like such an escape gets a second backslash, so that `resolvePath` can tell them apart.
 */
export const escapeName = (name: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is shown
  name.replace(/\\(?=[\\nrtx\x01-\x1f\x7f])|[\x01-\x1f\x7f]/g, (sign) => {
    if (sign === "\\" && !hasEscapes) return sign;
    if (sign === "\\") return "\\\\";
    return escapes[sign] ?? `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });

const unescaped = (name: string): string => (hasEscapes ? withoutEscapes(name) : name);

const withoutEscapes = (name: string): string =>
  name.replace(/\\(?:[\\nrt]|x(?:0[1-9a-f]|1[\da-f]|7f))/g, (shown) => {
    if (shown === "\\\\") return "\\";
    const sign = Object.keys(escapes).find((key) => escapes[key] === shown);
    return sign ?? String.fromCharCode(Number.parseInt(shown.slice(2), 16));
  });

/** A path as a glob that means just that. */
export const literalGlob = (path: string): string => path.replace(/[*?[\]{}!\\]/g, "\\$&");

/** Undefined where nothing stands, or nothing that may be looked at. */
export const statPath = (path: string): Stats | undefined => tryOr(() => statSync(rawPath(path)));

/** The name that the model knows a path by, and can give back. */
export function displayName(cwd: string, path: string): string {
  const name = escapeName(showPath(cwd, path));
  return name.startsWith("@") ? `./${name}` : name;
}
