import { existsSync, type Stats, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { FsKind } from "@pith/host";
import { expandHome, type Fail, showPath } from "@pith/kit";
import { inRoots } from "./root.ts";

/** Where path arguments are read from. */
export interface Place {
  cwd: string;
  userHome: string;
  /** Other folders of the project; a path may mean a file in one of them. */
  roots?: readonly string[];
}

/**
 * The absolute path an argument means: relative to the working directory; `~`, `file://` and a mention's `@` are
 * understood.
 */
export function resolvePath(place: Place, given: string): string {
  if (given.startsWith("file://")) return fromUrl(given) ?? resolve(place.cwd, given);
  const expanded = expandHome(given, place.userHome);
  const path = isAbsolute(expanded) ? resolve(expanded) : inRoots([place.cwd, ...(place.roots ?? [])], expanded);
  // A file may really begin with @, or have a backslash in its name; only then that is meant.
  if (!/^@|\\[nrtx]/.test(given) || existsSync(path)) return path;
  if (given.startsWith("@")) return resolvePath(place, given.slice(1));
  const name = unescaped(given);
  const meant = name === given ? path : resolvePath(place, name);
  return existsSync(meant) ? meant : path;
}

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * A name as it is shown among others: a line break in it would make it two, and a terminal may obey other signs.
 * `resolvePath` understands it.
 */
export const oneLine = (name: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is shown
  name.replace(/[\x01-\x1f\x7f]/g, (sign) => escapes[sign] ?? `\\x${sign.charCodeAt(0).toString(16).padStart(2, "0")}`);

const unescaped = (name: string): string =>
  name.replace(/\\(?:[nrt]|x(?:0[1-9a-f]|1[\da-f]|7f))/g, (shown) => {
    const sign = Object.keys(escapes).find((key) => escapes[key] === shown);
    return sign ?? String.fromCharCode(Number.parseInt(shown.slice(2), 16));
  });

/** What stands at a path, if anything that we may look at. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** How a failure at `path` is told: by the name that the model knows. */
export const trouble = ({ cwd }: Place, path: string, failure: Fail<FsKind>): string =>
  failure.message.replace(path, () => showPath(cwd, path));

function fromUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
