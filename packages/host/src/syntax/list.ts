import { join } from "node:path";
import { ok, type Result } from "@pith/kit";
import { type FileSelection, parseGlob } from "../exec/search/glob.ts";
import { ignoreFiles } from "../exec/search/ignore-files.ts";
import { type RgDone, type RgFailure, runRgPaths, withRoot } from "../exec/search/run-rg.ts";
import { languageOf } from "./language.ts";

/** The root is an existing directory. */
export interface SourceRequest extends FileSelection {
  rg: string;
  /** Only files that hold at least one of these. */
  words?: readonly string[];
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * Files in a language we can parse, by their names, sorted. Ignore files count, hidden files are listed,
 * `node_modules` only when it is asked for.
 */
export async function listSources(request: SourceRequest): Promise<Result<{ paths: string[] } & RgDone, RgFailure>> {
  const { root, glob, words } = request;
  const { matches } = parseGlob(request);
  // A request that names them means them, though nearly every project has git ignore them, at any depth.
  const all = `${root}/${glob ?? ""}`.includes("node_modules");
  const rules = ignoreFiles(root, all ? "off" : "on");
  const wanted = words
    ? ["--files-with-matches", "--fixed-strings", ...words.flatMap((word) => ["-e", word])]
    : ["--files"];
  const args = [...wanted, ...(all ? [] : ["--glob=!node_modules"]), ...rules.flags];
  const paths: string[] = [];
  const ended = await withRoot(root, (held) =>
    runRgPaths({ ...request, root: held, args }, (found) => {
      paths.push(...found.filter((path) => languageOf(path) && matches(path)));
    }),
  );
  const ignored = rules.ignored(paths);
  const meant = paths.filter((path) => !ignored.has(path)).sort();
  return ended.ok ? ok({ paths: meant.map((path) => join(root, path)), ...ended.value }) : ended;
}
