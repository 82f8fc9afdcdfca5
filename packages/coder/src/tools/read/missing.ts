import { isAbsolute, join } from "node:path";
import { isRemote } from "@pith/host";
import { isInside, realPath, showPath } from "@pith/kit";
import type { Files } from "../../files/files.ts";
import { literalGlob } from "../../files/path.ts";
import type { Inside } from "../container.ts";

const timeoutMs = 5000;

/** The same for a path that leads into an archive or a database. */
export async function containerBySuffix(
  files: Files,
  argument: string,
  signal: AbortSignal,
): Promise<Inside | undefined> {
  const [, name, rest] = /^(.+?\.(?:tar\.gz|tgz|tar|zip|sqlite3?|db3?))([:?].*)$/is.exec(argument) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const path = files.resolve(name);
  const near = files.stat(path) ? undefined : await findBySuffix(files, { path, name }, signal);
  return near === undefined ? undefined : { path: near, name, rest };
}

/** The one file of the project whose path ends like this; undefined when there is none, or more than one. */
export async function findBySuffix(
  files: Files,
  { path, name }: { path: string; name: string },
  signal: AbortSignal,
): Promise<string | undefined> {
  const { cwd } = files;
  if (!isInside(cwd, path) || path === cwd || isRemote(cwd)) return undefined;
  const suffix = isAbsolute(name) ? showPath(cwd, path) : name.replace(/^(?:\.?\/)+/, "");
  if (suffix === "" || suffix.split("/").includes("..")) return undefined;
  const glob = `**/${literalGlob(suffix)}`;
  const listed = await files.list({ root: cwd, glob, max: 2, timeoutMs, signal });
  const [only, other] = listed.ok && listed.value.end === "complete" ? listed.value.paths : [];
  return only !== undefined && other === undefined ? join(cwd, only) : undefined;
}

/**
 * What is said about a path that is not there: the part of it that is missing, and what it may have meant. Names of
 * files outside of the project are not told: nobody was asked.
 */
export function missingText(files: Files, path: string, problem: string): string {
  const { parent, real, missing, names } = files.near(path);
  const first = join(parent, missing);
  if (![files.cwd, ...files.roots].some((root) => isInside(realPath(root), real))) return `${problem}.`;
  const where = first === path ? "" : ` There is no ${files.show(first)}.`;
  const meant = names.map((name) => files.show(join(parent, name))).join(" or ");
  return `${problem}.${where}${meant === "" ? "" : ` Did you mean ${meant}?`}`;
}
