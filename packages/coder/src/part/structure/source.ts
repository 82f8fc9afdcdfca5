import { join } from "node:path";
import type { Touch } from "@pith/agent";
import { type LanguageName, languageOf, wordsOf } from "@pith/host";
import { fail, ok, type Result, realPath } from "@pith/kit";
import type { Files } from "../../files/files.ts";
import { decode } from "../../snapshot/decode.ts";
import { type Addresses, globProblem, openAddress } from "../../tools/address.ts";
import { scopesBySuffix } from "../../tools/missing.ts";
import { type PathScope, readScopes } from "../../tools/scope.ts";

export interface SourceOptions {
  files: Files;
  /** Finds the files behind internal addresses. */
  urls?: Addresses | undefined;
}

/** The files and directories that paths of a call mean, before any of them is read. */
export interface SourceScopes {
  roots: ({ is: "file"; at: Touch; argument: string } | (PathScope & { is: "directory" }))[];
  /** Notes about paths that mean nothing. */
  notes: string[];
}

/** The files that paths of a call mean. */
export interface Sources {
  files: SourceFile[];
  notes: string[];
}
export interface SourceFile {
  /** The path as it was named. */
  path: string;
  /** The path that is read. */
  real: string;
}

const timeoutMs = 30_000;
/** A larger file is data, or was written by a program. */
const maxBytes = 2 * 1024 * 1024;

/** Reads files, directories and globs. Missing ones are noted; only where none is there does it fail. */
export async function sourceScopes(
  options: SourceOptions,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Result<SourceScopes, "path">> {
  const scopes = readScopes(options.files, paths);
  if (!scopes.ok) return scopes;
  const roots: SourceScopes["roots"] = [];
  const absent: string[] = [];
  for (const scope of scopes.value) {
    const root = await rootOf(options, scope, signal);
    if (root.ok) roots.push(root.value);
    else if (root.kind === "missing") absent.push(root.message);
    else return fail("path", root.message);
  }
  return roots.length === 0 ? fail("path", absent.join("\n")) : ok({ roots, notes: absent });
}

type Root = SourceScopes["roots"][number];

async function rootOf(
  { files, urls }: SourceOptions,
  scope: PathScope,
  signal: AbortSignal,
): Promise<Result<Root, "path" | "missing">> {
  const { argument, ranges } = scope;
  // Code is also changed by its structure: a path that is not there is named, never guessed.
  if (scope.is === "missing") return fail("missing", (await scopesBySuffix(files, scope, signal)).problem);
  if (scope.is === "special") return fail("path", `${argument}: is not a regular file`);
  if (scope.is === "archive")
    return fail("path", `${argument}: files in an archive cannot be looked at by their structure; use search`);
  if (ranges.length > 0) return fail("path", `Line ranges are for search and read: ${argument}`);
  if (scope.is === "file") return ok({ is: "file", at: scope.at, argument });
  if (scope.is === "directory") return ok(scope);
  const problem = globProblem(scope.href);
  if (problem) return fail("path", problem);
  const address = urls && (await openAddress(urls, scope.href, signal));
  if (address && !address.ok) return fail("path", address.message);
  const target = address?.value;
  if (!target?.at || target.extract)
    return fail("path", `${scope.href} has no file behind it; give the path of a file or directory`);
  return files.stat(target.at.real)
    ? ok({ is: "file", at: target.at, argument })
    : fail("missing", `There is no ${argument}`);
}

/** Lists each file once, and of a directory those in which one of the patterns may match. */
export async function listSources(
  files: Files,
  { roots, notes }: SourceScopes,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<Result<Sources, "path">> {
  const byPath = new Map<string, SourceFile>();
  const told: string[] = [];
  for (const root of roots) {
    const listed =
      root.is === "directory" ? await listBelow(files, root, wordsOf(patterns), signal) : ok(fileOf(files, root));
    if (!listed.ok) return listed;
    for (const file of listed.value.files) byPath.set(file.path, file);
    told.push(...listed.value.notes);
  }
  return ok({ files: [...byPath.values()], notes: [...told, ...notes] });
}

async function listBelow(
  files: Files,
  { at, argument, glob, except }: PathScope & { is: "directory" },
  words: string[] | undefined,
  signal: AbortSignal,
): Promise<Result<Sources, "path">> {
  const request = { root: at.real, glob, except, timeoutMs, signal };
  const likely = words && (await files.sources({ ...request, words }));
  // When there is nothing to find, the files still tell in which languages a pattern could have been meant.
  const listed = likely?.ok && likely.value.paths.length > 0 ? likely : await files.sources(request);
  if (!listed.ok) return fail("path", listed.kind === "unreadable" ? `${argument}: ${listed.message}` : listed.message);
  const late = `Listing ${files.show(at.path)} took too long and was stopped; narrow paths`;
  return ok({
    files: listed.value.paths.map((real) => ({ path: join(at.path, real.slice(at.real.length)), real })),
    notes: listed.value.end === "timeout" ? [late] : [],
  });
}

function fileOf(files: Files, { at, argument }: Root): Sources {
  return readSource(files, at)
    ? { files: [at], notes: [] }
    : { files: [], notes: [`${argument} is not text in a language that can be parsed`] };
}

export interface SourceText extends SourceFile {
  /** The name that the model knows it by. */
  name: string;
  text: string;
  language: LanguageName;
}

/** A file as text of a language; undefined for one that is neither, or that has become a link to another. */
function readSource(files: Files, { path, real }: SourceFile): SourceText | undefined {
  if (realPath(real) !== real) return undefined;
  const whole = files.read(real, maxBytes);
  if (!whole.ok) return undefined;
  const decoded = decode(whole.value.bytes);
  if (!decoded.ok) return undefined;
  const { text } = decoded.value;
  const language = languageOf(path, text);
  return language && { path, real, name: files.show(path), text, language };
}

/** Goes through files without holding up everything else, and stops when told to. */
export async function* eachSource(
  files: Files,
  sources: readonly SourceFile[],
  signal: AbortSignal,
): AsyncGenerator<SourceText> {
  let turn = performance.now();
  for (const file of sources) {
    if (performance.now() - turn > 20) {
      await new Promise(setImmediate);
      turn = performance.now();
    }
    signal.throwIfAborted();
    const source = readSource(files, file);
    if (source) yield source;
  }
}
