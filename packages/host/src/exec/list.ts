import { statSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "@pith/kit";
import { anyDepth } from "./glob.ts";
import { type RgEnd, type RgFailure, runRg } from "./rg-run.ts";

export interface ListRequest {
  rg: string;
  /** An existing directory. */
  root: string;
  /** A file pattern: without a slash it is meant at any depth. */
  pattern: string;
  max: number;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface Listed {
  /** Relative to the root, newest first. */
  paths: string[];
  total: number;
  end: RgEnd;
}

/** Lists files by name; ignore files count, hidden files are listed. */
export async function listFiles(request: ListRequest): Promise<Result<Listed, RgFailure>> {
  const glob = new Bun.Glob(anyDepth(request.pattern));
  const paths: string[] = [];
  let rest = "";
  const ended = await runRg({ ...request, args: ["--files", "--null", "."], cwd: request.root }, (text) => {
    const names = (rest + text).split("\0");
    rest = names.pop() ?? "";
    for (const name of names) {
      const path = name.slice(2);
      if (glob.match(path)) paths.push(path);
    }
    return "more";
  });
  if (!ended.ok) return ended;
  const newest = await newestFirst(request, paths);
  return newest ? ok({ paths: newest.slice(0, request.max), total: paths.length, end: ended.value }) : fail("aborted", "The search was stopped");
}

async function newestFirst({ root, signal }: ListRequest, paths: readonly string[]): Promise<string[] | undefined> {
  const dated: { path: string; time: number }[] = [];
  for (const path of paths) {
    dated.push({ path, time: statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0 });
    // Looking at very many files takes a while: let others have their turn.
    if (dated.length % 2000 === 0) await new Promise(setImmediate);
    if (signal.aborted) return undefined;
  }
  return dated.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1)).map(({ path }) => path);
}
