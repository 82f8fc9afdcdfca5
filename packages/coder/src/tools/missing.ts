import { basename, isAbsolute, join } from "node:path";
import { archiveEnding, databaseEnding, isRemote } from "@pith/host";
import { isInside, realPath, showPath } from "@pith/kit";
import type { Files } from "../files/files.ts";
import { escapeName, literalGlob } from "../files/path.ts";
import type { Inside } from "./container.ts";
import { type PathScope, readScopes } from "./scope.ts";
import { parseSelector } from "./selector.ts";

const timeoutMs = 5000;
const maxNear = 6;

/** Finds a file by its end for a path that leads into an archive or a database. */
export async function containerBySuffix(
  files: Files,
  argument: string,
  signal: AbortSignal,
): Promise<Inside | undefined> {
  const mark = [...argument.matchAll(/[:?]/g)]
    .map(({ index }) => index)
    .find((at) => archiveEnding.test(argument.slice(0, at)) || databaseEnding.test(argument.slice(0, at)));
  if (mark === undefined) return undefined;
  const [name, rest] = [argument.slice(0, mark), argument.slice(mark)];
  const path = files.resolve(name);
  const [only, other] = files.stat(path) ? [] : await findBySuffix(files, { path, name }, signal);
  return only === undefined || other !== undefined ? undefined : { path: only, name, rest };
}

/** Some of the files of the project whose path ends as the one that was asked for. */
export async function findBySuffix(
  files: Files,
  { path, name }: { path: string; name: string },
  signal: AbortSignal,
): Promise<string[]> {
  const { cwd } = files;
  if (!isInside(cwd, path) || path === cwd) return [];
  const suffix = isAbsolute(name) ? showPath(cwd, path) : name.replace(/^(?:\.?\/)+/, "");
  if (suffix === "" || suffix.split("/").includes("..")) return [];
  // The project's own name in front, though something in it is called so as well.
  const own = suffix.startsWith(`${basename(cwd)}/`) ? join(cwd, suffix.slice(basename(cwd).length + 1)) : undefined;
  if (own && files.stat(own)) return [own];
  const glob = `**/${literalGlob(suffix)}`;
  const found = new Set<string>();
  for (const root of [cwd, ...files.roots].filter((root) => !isRemote(root))) {
    const listed = await files.list({ root, glob, max: maxNear, timeoutMs, signal });
    if (!listed.ok || listed.value.end !== "complete") return [];
    for (const below of listed.value.paths) found.add(join(root, below));
  }
  return [...found].sort().slice(0, maxNear);
}

/**
 * The text about a path that is not there: the part of it that is missing, and paths that may be meant. Names of files
 * outside of the project are not told: nobody was asked.
 */
export function missingText(files: Files, path: string, problem: string, several: readonly string[]): string {
  const { parent, real, missing, names, link } = files.near(path);
  const first = join(parent, missing);
  const own = nameInside(files, path);
  if (own !== undefined) return `${problem}. Did you mean ${own}?`;
  if (![files.cwd, ...files.roots].some((root) => isInside(realPath(root), real))) return `${problem}.`;
  const same = several.map((one) => files.show(one)).join(", ");
  if (several.length === 1) return `${problem}. Did you mean ${same}?`;
  if (several.length > 0) return `${problem}. Several paths end so: ${same}`;
  if (realPath(path).includes("\0")) return `${problem}: its links lead in a circle`;
  if (link !== undefined && first === path)
    return `${problem}: it is a link to ${escapeName(link)}, which is not there`;
  const where = first === path ? "" : ` There is no ${files.show(first)}.`;
  const meant = names.map((name) => files.show(join(parent, name))).join(" or ");
  return `${problem}.${where}${meant === "" ? "" : ` Did you mean ${meant}?`}`;
}

/** The same path below the project, where a slash too many stands before it. */
function nameInside(files: Files, path: string): string | undefined {
  const inside = join(files.cwd, path);
  return !isInside(files.cwd, path) && files.stat(inside) ? files.show(inside) : undefined;
}

/** The scopes that one that is not there may mean by its end, with a note that tells so, and the problem with it. */
export async function scopesBySuffix(
  files: Files,
  { argument, glob, ranges }: PathScope & { is: "missing" },
  signal: AbortSignal,
): Promise<{ scopes: PathScope[]; note?: string; problem: string }> {
  const selected = parseSelector(argument, () => false);
  const name = selected.ok ? selected.value.path : argument;
  const path = files.resolve(name);
  const paths = glob === undefined ? await findBySuffix(files, { path, name }, signal) : [];
  const none = `There is no ${argument}`;
  const problem = glob === undefined ? missingText(files, path, none, paths).replace(/\.$/, "") : none;
  const shown = paths.map((one) => files.show(one));
  const found = readScopes(files, shown);
  if (paths.length === 0 || !found.ok) return { scopes: [], problem };
  const note = shown.length > 1 ? problem : `There is no ${name}; ${shown[0]} is the only path that ends so`;
  return { scopes: found.value.map((scope) => ({ ...scope, ranges })), note, problem };
}

/** The text about a file that shall be changed and is not there, where one like it is. */
export async function misnamedText(files: Files, name: string, signal: AbortSignal): Promise<string | undefined> {
  const path = files.resolve(name);
  if (files.stat(path)) return undefined;
  const same = await findBySuffix(files, { path, name }, signal);
  const inside = nameInside(files, path);
  const names = inside === undefined ? same.map(files.show) : [inside];
  return names.length === 0 ? undefined : `${name} does not exist. Did you mean ${names.join(" or ")}?`;
}
