import { dirname } from "node:path";
import { type LanguageName, languageOf, listSources, readWhole, wordsOf } from "@pith/host";
import { fail, ok, type Result, showPath } from "@pith/kit";
import { type Place, statOf } from "../files/path.ts";
import { decode } from "../snapshot/decode.ts";
import type { FindRg } from "./rg.ts";
import { readScopes, type Scope } from "./scope.ts";

export interface SourceParts extends Place {
  rg: FindRg;
  /** Finds the files behind internal addresses. */
  urls?: { resolve(href: string, signal: AbortSignal): Promise<Result<{ file?: string | undefined }, "url">> };
}

/** The files that paths of a call mean. */
export interface Sources {
  files: string[];
  /** What should be told about them. */
  notes: string[];
}

const timeoutMs = 30_000;
/** A larger file is data, or was written by a program. */
const maxBytes = 2 * 1024 * 1024;

/**
 * Files, directories and globs, each file once; of a directory those in which one of the patterns may match. What does
 * not exist is
 * told; only when nothing does it is an error.
 */
export async function findSources(
  parts: SourceParts,
  given: readonly string[],
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<Result<Sources, "path">> {
  const read = readScopes(parts, given);
  if (!read.ok)
    return fail("path", read.kind === "empty" ? "`paths` must contain non-empty paths or globs" : read.message);
  const files = new Set<string>();
  const notes: string[] = [];
  const absent: string[] = [];
  for (const scope of read.value) {
    const found =
      scope.is === "directory"
        ? await listBelow(parts, scope, wordsOf(patterns), signal)
        : await fileOf(parts, scope, signal);
    if (!found.ok && found.kind === "missing") absent.push(found.message);
    else if (!found.ok) return fail("path", found.message);
    else {
      for (const path of found.value.files) files.add(path);
      notes.push(...found.value.notes);
    }
  }
  if (absent.length === read.value.length) return fail("path", absent.join("\n"));
  return ok({ files: [...files], notes: [...notes, ...absent] });
}

async function listBelow(
  parts: SourceParts,
  scope: Scope & { is: "directory" },
  words: string[] | undefined,
  signal: AbortSignal,
): Promise<Result<Sources, "path" | "missing">> {
  const { path: root, given, glob, except, ranges } = scope;
  if (ranges.length > 0) return fail("path", `Line ranges are for search and read: ${given}`);
  if (dirname(root) === root) return fail("path", `Searching from root directory '${root}' is not allowed`);
  const rg = await parts.rg();
  if (!rg.ok) return fail("path", rg.message);
  const request = {
    rg: rg.value,
    root,
    ...(glob !== undefined && { glob }),
    ...(except && { except }),
    timeoutMs,
    signal,
  };
  const likely = words && (await listSources({ ...request, words }));
  // When there is nothing to find, the files still tell in which languages a pattern could have been meant.
  const listed = likely?.ok && likely.value.paths.length > 0 ? likely : await listSources(request);
  if (!listed.ok) return fail("path", listed.kind === "unreadable" ? `${given}: ${listed.message}` : listed.message);
  const late =
    listed.value.end === "timeout"
      ? [`Listing ${showPath(parts.cwd, root)} took too long and was stopped; narrow paths`]
      : [];
  return ok({ files: listed.value.paths, notes: late });
}

/** The one file that is meant by something else than a directory. */
async function fileOf(
  parts: SourceParts,
  scope: Exclude<Scope, { is: "directory" }>,
  signal: AbortSignal,
): Promise<Result<Sources, "path" | "missing">> {
  const { given, ranges } = scope;
  if (scope.is === "missing") return fail("missing", `Path not found: ${given}`);
  if (scope.is === "special") return fail("path", `${given}: is not a regular file`);
  if (scope.is === "archive")
    return fail("path", `${given}: what is inside of an archive cannot be looked at by its structure; use search`);
  if (ranges.length > 0) return fail("path", `Line ranges are for search and read: ${given}`);
  const path = scope.is === "file" ? ok(scope.path) : await fileBehind(parts, scope.href, signal);
  if (!path.ok) return path;
  if (!statOf(path.value)) return fail("missing", `Path not found: ${given}`);
  const known = readSource(parts, path.value) !== undefined;
  return ok(
    known
      ? { files: [path.value], notes: [] }
      : { files: [], notes: [`${given} is not text in a language that can be parsed`] },
  );
}

async function fileBehind({ urls }: SourceParts, href: string, signal: AbortSignal): Promise<Result<string, "path">> {
  if (/[*?[{]/.test(href)) return fail("path", `Glob patterns are not supported for internal URLs: ${href}`);
  const found = await urls?.resolve(href, signal);
  if (found && !found.ok) return fail("path", found.message);
  const file = found?.value.file;
  return file === undefined
    ? fail("path", `${href} has no file behind it; give the path of a file or directory`)
    : ok(file);
}

export interface Source {
  path: string;
  /** As the model knows it. */
  name: string;
  text: string;
  language: LanguageName;
}

/** A file as text of a language; undefined for one that is neither. */
function readSource(parts: Place, path: string): Source | undefined {
  const whole = readWhole(path, maxBytes);
  if (!whole.ok) return undefined;
  const decoded = decode(whole.value.bytes);
  if (!decoded.ok) return undefined;
  const { text } = decoded.value;
  const language = languageOf(path, text);
  return language && { path, name: showPath(parts.cwd, path), text, language };
}

/** Goes through files without holding up everything else, and stops when told to. */
export async function* eachSource(parts: Place, files: readonly string[], signal: AbortSignal): AsyncGenerator<Source> {
  let turn = performance.now();
  for (const path of files) {
    if (performance.now() - turn > 20) {
      await new Promise(setImmediate);
      turn = performance.now();
    }
    signal.throwIfAborted();
    const source = readSource(parts, path);
    if (source) yield source;
  }
}
