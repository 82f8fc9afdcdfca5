import { dirname } from "node:path";
import { type LanguageName, languageOf, listSources, readWhole, wordsOf } from "@pith/host";
import { fail, ok, type Result, showPath } from "@pith/kit";
import { decode } from "../snapshot/decode.ts";
import { type Place, resolvePath, statOf } from "./place.ts";
import type { FindRg } from "./rg.ts";

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
 * Files, directories and globs, each file once; of a directory those in which one of the patterns may match. What does not exist is
 * told; only when nothing does it is an error.
 */
export async function findSources(
  parts: SourceParts,
  given: readonly string[],
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<Result<Sources, "path">> {
  const files = new Set<string>();
  const missing: string[] = [];
  const notes: string[] = [];
  for (const entry of given) {
    const spot = await placeOf(parts, entry, signal);
    if (!spot.ok) return spot;
    if (spot.value.is === "missing") missing.push(entry);
    if (spot.value.is === "file" && !readSource(parts, spot.value.path)) notes.push(`${entry} is not text in a language that can be parsed`);
    else if (spot.value.is === "file") files.add(spot.value.path);
    if (spot.value.is !== "directory") continue;
    const listed = await listBelow(parts, spot.value, wordsOf(patterns), signal);
    if (!listed.ok) return listed;
    for (const path of listed.value.paths) files.add(path);
    if (listed.value.end === "timeout") notes.push(`Listing ${showPath(parts.cwd, spot.value.path)} took too long and was stopped; narrow paths`);
  }
  const absent = missing.map((path) => `Path not found: ${path}`);
  if (missing.length === given.length) return fail("path", absent.join("\n"));
  return ok({ files: [...files], notes: [...notes, ...absent] });
}

async function listBelow(parts: SourceParts, { path: root, pattern }: Spot & { is: "directory" }, words: string[] | undefined, signal: AbortSignal) {
  if (dirname(root) === root) return fail("path", `Searching from root directory '${root}' is not allowed`);
  const rg = await parts.rg();
  if (!rg.ok) return fail("path", rg.message);
  const request = { rg: rg.value, root, ...(pattern && { pattern }), timeoutMs, signal };
  const likely = words && (await listSources({ ...request, words }));
  // When there is nothing to find, the files still tell in which languages a pattern could have been meant.
  const listed = likely?.ok && likely.value.paths.length > 0 ? likely : await listSources(request);
  return listed.ok ? listed : fail("path", listed.message);
}

type Spot = { is: "missing" } | { is: "file"; path: string } | { is: "directory"; path: string; pattern?: string };

async function placeOf(parts: SourceParts, given: string, signal: AbortSignal): Promise<Result<Spot, "path">> {
  if (given.trim() === "") return fail("path", "paths must not hold an empty entry");
  const internal = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) && !given.startsWith("file://");
  const path = internal ? await fileBehind(parts, given, signal) : ok(resolvePath(parts, given));
  if (!path.ok) return path;
  const stat = statOf(path.value);
  if (stat?.isFile()) return ok({ is: "file", path: path.value });
  if (stat?.isDirectory()) return ok({ is: "directory", path: path.value });
  if (stat) return fail("path", `${given}: is not a regular file`);
  if (internal) return ok({ is: "missing" });
  // What stands before the first part with a wildcard is a directory; the rest is matched below it.
  const segments = given.split("/");
  const first = segments.findIndex((segment) => /[*?[{]/.test(segment));
  if (first === -1) return ok({ is: "missing" });
  const base = resolvePath(parts, segments.slice(0, first).join("/") || (given.startsWith("/") ? "/" : "."));
  if (!statOf(base)?.isDirectory()) return ok({ is: "missing" });
  // A bare name is meant at any depth.
  return ok({ is: "directory", path: base, pattern: segments.length === 1 ? `**/${given}` : segments.slice(first).join("/") });
}

async function fileBehind({ urls }: SourceParts, given: string, signal: AbortSignal): Promise<Result<string, "path">> {
  if (/[*?[{]/.test(given)) return fail("path", `Globs are not supported for internal URLs: ${given}`);
  const found = await urls?.resolve(given, signal);
  if (found && !found.ok) return fail("path", found.message);
  const file = found?.value.file;
  return file === undefined ? fail("path", `${given} has no file behind it; give the path of a file or directory`) : ok(file);
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
