import { statSync } from "node:fs";
import { dirname } from "node:path";
import { ok, type Result } from "@pith/kit";
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
  const times: number[] = [];
  const folders = new Set<string>();
  let rest = "";
  // Looked at as it comes, while ripgrep goes on beside us. Not `join`: tidying a tidy path costs as much as the look.
  const add = (path: string) => {
    paths.push(path);
    times.push(changedAt(`${root}/${path}`));
  };
  const flags = [...(request.ignores === "off" ? ["--no-ignore"] : []), ...(request.hidden === "leave out" ? ["--no-hidden"] : [])];
  const ended = await runRg({ ...request, args: ["--files", "--null", ...flags, "."], cwd: root }, (text) => {
    const names = (rest + text).split("\0");
    rest = names.pop() ?? "";
    for (const name of names) {
      const path = name.slice(2);
      if (every || glob.match(path)) add(path);
      if (!all) addFolders(folders, path);
    }
    onFound?.(paths);
    return "more";
  });
  if (!ended.ok) return ended;
  for (const folder of folders) if (glob.match(folder)) add(`${folder}/`);
  const newest = newestOf(paths, times, request.max);
  return ok({ paths: newest.map((i) => paths[i] ?? ""), times: newest.map((i) => times[i] ?? 0), total: paths.length, end: ended.value });
}

function addFolders(folders: Set<string>, path: string): void {
  for (let folder = dirname(path); folder !== "." && !folders.has(folder); folder = dirname(folder)) folders.add(folder);
}

/** The places of the newest, in their order. Most are not among them and need not be sorted. */
function newestOf(paths: readonly string[], times: readonly number[], max: number): number[] {
  const sorted = Float64Array.from(times).sort();
  const least = sorted[Math.max(0, sorted.length - max)] ?? 0;
  const places = times.flatMap((time, i) => (time >= least ? [i] : []));
  const byAge = (a: number, b: number) => (times[b] ?? 0) - (times[a] ?? 0) || ((paths[a] ?? "") < (paths[b] ?? "") ? -1 : 1);
  return places.sort(byAge).slice(0, max);
}

/** A file may vanish, or lose its rights, while we look. */
function changedAt(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    return 0;
  }
}
