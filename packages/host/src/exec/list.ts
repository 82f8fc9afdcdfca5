import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail, ok, type Result } from "@pith/kit";
import { type RgEnd, type RgFailure, runRg } from "./rg-run.ts";

export interface ListRequest {
  rg: string;
  /** An existing directory. */
  root: string;
  /** A glob for paths below the root. */
  pattern: string;
  /** Whether files that git ignores are left out; they are, unless "off". */
  ignores?: "on" | "off";
  hidden?: "list" | "leave out";
  max: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** Told as it goes, unsorted. */
  onFound?(paths: readonly string[]): void;
}

export interface Listed {
  /** Relative to the root, newest first; a directory ends in a slash. */
  paths: string[];
  /** When each was changed last, epoch milliseconds. */
  times: number[];
  total: number;
  end: RgEnd;
}

/** Lists files and the directories that hold some by name; ignore files count. */
export async function listFiles(request: ListRequest): Promise<Result<Listed, RgFailure>> {
  const { root, pattern, onFound } = request;
  const glob = new Bun.Glob(pattern);
  // Everything below: the directories are told by what is in them.
  const every = pattern === "**/*" || pattern === "**";
  const all = /(?:^|\/)\*\*(?:\/\*)?$/.test(pattern);
  const paths: string[] = [];
  const folders = new Set<string>();
  let rest = "";
  const flags = [...(request.ignores === "off" ? ["--no-ignore"] : []), ...(request.hidden === "leave out" ? ["--no-hidden"] : [])];
  const ended = await runRg({ ...request, args: ["--files", "--null", ...flags, "."], cwd: root }, (text) => {
    const names = (rest + text).split("\0");
    rest = names.pop() ?? "";
    for (const name of names) {
      const path = name.slice(2);
      if (every || glob.match(path)) paths.push(path);
      if (!all) addFolders(folders, path);
    }
    onFound?.(paths);
    return "more";
  });
  if (!ended.ok) return ended;
  for (const folder of folders) if (glob.match(folder)) paths.push(`${folder}/`);
  const newest = await newestFirst(request, paths);
  if (!newest) return fail("aborted", "The search was stopped");
  const shown = newest.slice(0, request.max);
  return ok({ paths: shown.map(({ path }) => path), times: shown.map(({ time }) => time), total: paths.length, end: ended.value });
}

function addFolders(folders: Set<string>, path: string): void {
  for (let folder = dirname(path); folder !== "." && !folders.has(folder); folder = dirname(folder)) folders.add(folder);
}

async function newestFirst({ root, signal }: ListRequest, paths: readonly string[]): Promise<{ path: string; time: number }[] | undefined> {
  const dated: { path: string; time: number }[] = [];
  for (const path of paths) {
    dated.push({ path, time: changedAt(join(root, path)) });
    // Looking at very many files takes a while: let others have their turn.
    if (dated.length % 2000 === 0) await new Promise(setImmediate);
    if (signal.aborted) return undefined;
  }
  return dated.sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1));
}

/** A file may vanish, or lose its rights, while we look. */
function changedAt(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
