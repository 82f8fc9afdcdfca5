import { join } from "node:path";
import { ok, type Result } from "@pith/kit";
import { type FileSelection, parseGlob } from "../exec/search/glob.ts";
import { ignoreFiles } from "../exec/search/ignore-files.ts";
import { type RgDone, type RgFailure, runRg, withRoot } from "../exec/search/run-rg.ts";
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
  // Who names them means them, though nearly every project has git ignore them, at any depth.
  const all = `${root}/${glob ?? ""}`.includes("node_modules");
  const rules = all ? undefined : ignoreFiles(root);
  const modules = rules ? ["--glob=!node_modules", ...rules.flags] : ["--no-ignore"];
  const paths: string[] = [];
  let rest = "";
  const ended = await withRoot(root, (held) =>
    runRg(
      {
        ...request,
        root: held,
        args: [
          ...(words
            ? ["--files-with-matches", "--fixed-strings", ...words.flatMap((word) => ["-e", word])]
            : ["--files"]),
          "--null",
          ...modules,
        ],
      },
      (text) => {
        const names = (rest + text).split("\0");
        rest = names.pop() ?? "";
        for (const name of names) {
          const path = name.slice(2);
          if (languageOf(path) && matches(path)) paths.push(path);
        }
        return "more";
      },
    ),
  );
  const ignored = rules?.ignored(paths, {});
  const meant = paths.filter((path) => !ignored?.has(path)).sort();
  return ended.ok ? ok({ paths: meant.map((path) => join(root, path)), ...ended.value }) : ended;
}
