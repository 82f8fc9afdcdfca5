import { lstatSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { entriesIn, fileStat, ok, type Result } from "@pith/kit";
import type { Grip } from "../../fs/hold.ts";
import { rawPath } from "../../fs/raw.ts";
import { type ChangedAt, openChangedAt } from "../../fs/stat-at.ts";
import { ignoredBy } from "../../git/ignore.ts";
import type { Env } from "../env.ts";
import { FolderHandles } from "./folders.ts";
import { type FileSelection, parseGlob } from "./glob.ts";
import { ignoreFiles } from "./ignore-files.ts";
import { type RgDone, type RgFailure, runRg, withRoot } from "./run-rg.ts";

/** The root is an existing directory. */
export interface ListRequest extends FileSelection {
  rg: string;
  /** With it links are listed too: where the user keeps ignore rules of their own is told by it. */
  env?: Env;
  /** Whether files that git ignores are left out; they are, unless "off". */
  ignores?: "on" | "off";
  hidden?: "list" | "leave out";
  max: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** Told as it goes, unsorted. */
  onFound?(paths: readonly string[]): void;
}

export interface Listed extends RgDone {
  /** Relative to the root, newest first; a directory ends in a slash. */
  paths: string[];
  /** When each was changed last, epoch milliseconds. */
  times: number[];
  /** There are more than `max`. */
  more: boolean;
}

/** Lists files, links, and the directories that hold some by name; ignore files count. A link is not followed. */
export const listFiles = (request: ListRequest): Promise<Result<Listed, RgFailure>> =>
  withRoot(request.root, (root) => listIn(root, request));

async function listIn(root: Grip, request: ListRequest): Promise<Result<Listed, RgFailure>> {
  const { glob = "**/*", onFound } = request;
  const { matches } = parseGlob(request);
  // Everything below: the directories are told by what is in them.
  const every = (glob === "**/*" || glob === "**") && !request.except && !request.hides;
  const all = /(?:^|\/)\*\*(?:\/\*)?$/.test(glob);
  const paths: string[] = [];
  const times: number[] = [];
  const folders = new Set<string>();
  const links: string[] = [];
  let rest = "";
  using held = new FolderHandles(request.root);
  // There long before the first name is.
  let quick: ChangedAt | undefined;
  void openChangedAt().then((found) => {
    quick = found;
  });
  const add = (path: string, name: string, folder: Grip | undefined) => {
    const time = folder && changedAt(folder, name, quick);
    if (time === undefined) return;
    paths.push(path);
    times.push(time);
  };
  const addAll = (found: readonly string[]) => {
    for (const path of found) {
      const cut = path.endsWith("/") ? path.lastIndexOf("/", path.length - 2) : path.lastIndexOf("/");
      add(path, path.slice(cut + 1), held.at(path.slice(0, Math.max(0, cut))));
    }
  };
  const enter = (folder: string) => {
    for (const fresh of newFolders(folders, folder)) if (request.env) links.push(...linksBeside(held, request, fresh));
    return held.at(folder);
  };
  const rules = request.ignores === "off" ? undefined : ignoreFiles(request.root);
  const flags = [
    ...(rules ? rules.flags : ["--no-ignore"]),
    ...(request.hidden === "leave out" ? ["--no-hidden"] : []),
  ];
  let folder = "";
  let here = enter(folder);
  // Looked at as it comes, while ripgrep goes on beside us.
  const ended = await runRg({ ...request, root, args: ["--files", "--null", ...flags] }, (text) => {
    const names = (rest + text).split("\0");
    rest = names.pop() ?? "";
    for (const name of names) {
      const path = name.slice(2);
      const cut = Math.max(0, path.lastIndexOf("/"));
      if (cut !== folder.length || !path.startsWith(folder)) {
        folder = path.slice(0, cut);
        here = enter(folder);
      }
      if (every || matches(path)) add(path, cut === 0 ? path : path.slice(cut + 1), here);
    }
    onFound?.(paths);
    return "more";
  });
  if (!ended.ok) return ended;
  if (!all) addAll([...folders].flatMap((name) => (name !== "" && matches(name) ? [`${name}/`] : [])));
  if (ended.value.end === "complete") addAll(wantedLinks(request, links.filter(matches)));
  leaveOut(paths, times, rules?.ignored(paths, request.env ?? {}));
  const newest = newestOf(paths, times, request.max);
  return ok({
    paths: newest.map((i) => paths[i] ?? ""),
    times: newest.map((i) => times[i] ?? 0),
    more: paths.length > request.max,
    ...ended.value,
  });
}

function leaveOut(paths: string[], times: number[], ignored: ReadonlySet<string> | undefined): void {
  if (!ignored?.size) return;
  for (let i = paths.length - 1; i >= 0; i--)
    if (ignored.has(paths[i] ?? "")) for (const list of [paths, times]) list.splice(i, 1);
}

/** A folder and those above it that are not known yet. */
function newFolders(folders: Set<string>, deepest: string): string[] {
  const fresh: string[] = [];
  for (let folder = deepest; !folders.has(folder); folder = folder.includes("/") ? dirname(folder) : "") {
    folders.add(folder);
    fresh.push(folder);
  }
  return fresh;
}

/** ripgrep passes links over; those beside what it lists are meant too. */
function linksBeside(held: FolderHandles, { root, hidden }: ListRequest, folder: string): string[] {
  const names = linkNames(held, root, folder);
  const shown = hidden === "leave out" ? names.filter((name) => !name.startsWith(".")) : names;
  return folder === "" ? shown : shown.map((name) => `${folder}/${name}`);
}

/** Unless git ignores them; one to a directory ends in a slash. */
function wantedLinks({ root, env = {}, ignores }: ListRequest, links: readonly string[]): string[] {
  const ignored = ignores === "off" || links.length === 0 ? undefined : ignoredBy(root, links, env);
  return links
    .filter((link) => !ignored?.has(link))
    .map((link) => (fileStat(`${root}/${link}`)?.isDirectory() ? `${link}/` : link));
}

// To read a directory takes as long as to look at thirty of its files, and few hold links: what one held is true until
// it changes.
const known = new Map<string, { changed: number; names: string[] }>();
const maxKnown = 20_000;
/** Clocks of file systems are coarse: what was changed just now may change again without showing it. */
const settledMs = 2000;

function linkNames(held: FolderHandles, root: string, below: string): string[] {
  const folder = `${root}/${below}`;
  const here = held.at(below);
  if (!here) return [];
  const changed = Number(here.stat.mtimeNs) / 1e6;
  const before = known.get(folder);
  if (before?.changed === changed) return before.names;
  const names = entriesIn(here.way).flatMap((entry) => (entry.isSymbolicLink() ? [entry.name] : []));
  if (known.size >= maxKnown) known.clear();
  if (Date.now() - changed > settledMs) known.set(folder, { changed, names });
  return names;
}

/** The places of the newest, in their order. Most are not among them and need not be sorted. */
function newestOf(paths: readonly string[], times: readonly number[], max: number): number[] {
  const sorted = Float64Array.from(times).sort();
  const least = sorted[Math.max(0, sorted.length - max)] ?? 0;
  const places = times.flatMap((time, i) => (time >= least ? [i] : []));
  const byAge = (a: number, b: number) =>
    (times[b] ?? 0) - (times[a] ?? 0) || ((paths[a] ?? "") < (paths[b] ?? "") ? -1 : 1);
  return places.sort(byAge).slice(0, max);
}

/** Undefined for what is not there. It may not be ours to look at; a link may lead nowhere. */
function changedAt({ way, fd }: Grip, name: string, quick: ChangedAt | undefined): number | undefined {
  const raw = name.includes("\\x");
  const time = quick && fd !== undefined && !raw ? quick(fd, name) : undefined;
  if (time !== undefined) return time;
  try {
    const at = raw ? rawPath(`${way}/${name}`) : `${way}/${name}`;
    const stat = statSync(at, { throwIfNoEntry: false }) ?? lstatSync(at, { throwIfNoEntry: false });
    return stat?.mtimeMs;
  } catch {
    return 0;
  }
}
