import { dirname } from "node:path";
import { fileStat, ok, type Result, tryOr } from "@pith/kit";
import { type ChangedAt, openChangedAt } from "../../fs/hold/changed-at.ts";
import type { Held } from "../../fs/hold/held.ts";
import { type Grip, timeOf } from "../../fs/hold/hold.ts";
import { rawName } from "../../fs/raw.ts";
import { ignoredBy } from "../../git/ignore.ts";
import type { Env } from "../env.ts";
import { FolderHandles } from "./folders.ts";
import { type FileSelection, parseGlob } from "./glob.ts";
import { ignoreFiles } from "./ignore-files.ts";
import { type RgDone, type RgFailure, runRgPaths, withRoot } from "./run-rg.ts";

/** The root is an existing directory. */
export interface ListRequest extends FileSelection {
  rg: string;
  /** With it links are listed too: it tells where the user keeps ignore rules of their own. */
  env?: Env;
  /** Leaves out files that git ignores, unless "off". */
  ignores?: "on" | "off";
  hidden?: "list" | "leave out";
  max: number;
  timeoutMs: number;
  signal: AbortSignal;
  /** Called with all paths so far, unsorted. */
  onFound?(paths: readonly string[]): void;
}

export interface Listed extends RgDone {
  /** Relative to the root, newest first; a directory ends in a slash. */
  paths: string[];
  /** The last change of each, epoch milliseconds. */
  times: number[];
  /** True if more than `max` were found. */
  more: boolean;
}

/** Lists files, links, and the directories that hold some by name; ignore files count. A link is not followed. */
export const listFiles = (request: ListRequest): Promise<Result<Listed, RgFailure>> =>
  withRoot(request.root, (root) => listIn(root, request));

async function listIn(root: Grip, request: ListRequest): Promise<Result<Listed, RgFailure>> {
  const { glob = "**/*", env, max, onFound } = request;
  const { matches } = parseGlob(request);
  const every = (glob === "**/*" || glob === "**") && !request.except && !request.hides;
  const folders = new Set<string>();
  const links: string[] = [];
  using held = new FolderHandles(request.root);
  const found = new FoundPaths(held);
  const enter = (folder: string) => {
    for (const fresh of newFolders(folders, folder)) if (env) links.push(...linksBeside(held, request, fresh));
    return held.at(folder);
  };
  const rules = ignoreFiles(request.root, request.ignores);
  const args = ["--files", ...rules.flags, ...(request.hidden === "leave out" ? ["--no-hidden"] : [])];
  let folder = "";
  let here = enter(folder);
  // Looked at as it comes, while ripgrep goes on beside us.
  const ended = await runRgPaths({ ...request, root, args }, (paths) => {
    for (const path of paths) {
      const cut = Math.max(0, path.lastIndexOf("/"));
      if (cut !== folder.length || !path.startsWith(folder)) {
        folder = path.slice(0, cut);
        here = enter(folder);
      }
      if (every || matches(path)) found.add(path, cut === 0 ? path : path.slice(cut + 1), here);
    }
    onFound?.(found.paths);
  });
  if (!ended.ok) return ended;
  // Where everything below is meant, the directories are told by their files.
  if (!/(?:^|\/)\*\*(?:\/\*)?$/.test(glob))
    found.addAll([...folders].flatMap((name) => (name !== "" && matches(name) ? [`${name}/`] : [])));
  if (ended.value.end === "complete") found.addAll(wantedLinks(request, links.filter(matches)));
  return ok({ ...found.newest(max, rules.ignored(found.paths, env)), ...ended.value });
}

/** Paths and the times of their last changes. */
class FoundPaths {
  readonly #held: FolderHandles;
  readonly #quick = openChangedAt();
  readonly paths: string[] = [];
  readonly #times: number[] = [];

  constructor(held: FolderHandles) {
    this.#held = held;
  }

  add(path: string, name: string, folder: Held | undefined): void {
    const time = folder && changedAt(folder, name, this.#quick);
    if (time === undefined) return;
    this.paths.push(path);
    this.#times.push(time);
  }

  addAll(paths: readonly string[]): void {
    for (const path of paths) {
      const cut = path.lastIndexOf("/", path.length - 2);
      this.add(path, path.slice(cut + 1), this.#held.at(path.slice(0, Math.max(0, cut))));
    }
  }

  /** The newest, in their order. Most are not among them and need not be sorted. */
  newest(max: number, ignored: ReadonlySet<string>): Pick<Listed, "paths" | "times" | "more"> {
    const [paths, times] = [this.paths, this.#times];
    const counted = times.flatMap((_, i) => (ignored.has(paths[i] ?? "") ? [] : [i]));
    const sorted = Float64Array.from(counted, (i) => times[i] ?? 0).sort();
    const least = sorted[Math.max(0, sorted.length - max)] ?? 0;
    const byAge = (a: number, b: number) =>
      (times[b] ?? 0) - (times[a] ?? 0) || ((paths[a] ?? "") < (paths[b] ?? "") ? -1 : 1);
    const newest = counted
      .filter((i) => (times[i] ?? 0) >= least)
      .sort(byAge)
      .slice(0, max);
    return {
      paths: newest.map((i) => paths[i] ?? ""),
      times: newest.map((i) => times[i] ?? 0),
      more: counted.length > max,
    };
  }
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

/** The links that git does not ignore; one to a directory ends in a slash. */
function wantedLinks({ root, env = {}, ignores }: ListRequest, links: readonly string[]): string[] {
  const ignored = ignores === "off" || links.length === 0 ? undefined : ignoredBy(root, links, env);
  return links
    .filter((link) => !ignored?.has(link))
    .map((link) => (fileStat(`${root}/${link}`)?.isDirectory() ? `${link}/` : link));
}

// To read a directory takes as long as to look at thirty of its files, and few hold links: the links of one are
// remembered until it changes.
const known = new Map<string, { changed: number; names: string[] }>();
const maxKnown = 20_000;
/** Clocks of file systems are coarse: a directory that was changed just now may change again without showing it. */
const settledMs = 2000;

function linkNames(held: FolderHandles, root: string, below: string): string[] {
  const folder = `${root}/${below}`;
  const here = held.at(below);
  if (!here) return [];
  const changed = timeOf(here.look);
  const before = known.get(folder);
  if (before?.changed === changed) return before.names;
  const names = tryOr(() => here.list(), []).flatMap(({ name, isLink }) => (isLink ? [name.toString()] : []));
  if (known.size >= maxKnown) known.clear();
  if (Date.now() - changed > settledMs) known.set(folder, { changed, names });
  return names;
}

/** Undefined where nothing stands; 0 where we may not look. A link may lead nowhere: then its own time is taken. */
function changedAt(folder: Held, name: string, quick: ChangedAt | undefined): number | undefined {
  const raw = name.includes("\\x") && !folder.stat(name) ? rawName(name) : name;
  const time = quick && raw === name ? quick(folder.fd, name) : undefined;
  if (time !== undefined) return time;
  try {
    const look = folder.stat(raw, "target") ?? folder.stat(raw);
    return look && timeOf(look);
  } catch {
    return 0;
  }
}
