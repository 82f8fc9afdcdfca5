import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { codeOf, tryOr } from "@pith/kit";
import { asideOwner, isAlive } from "../fs/aside.ts";
import { decodeName, onDisk } from "../git/name.ts";
import type { Changes } from "./change.ts";
import { type DirNode, emptyDir, isSameFile, type LeafNode, type Node } from "./node.ts";
import type { Touched, TreeWatch } from "./watch.ts";

export interface ScanLimits {
  /** Larger files are not kept. */
  maxFile: number;
  /** Larger files are not kept when git ignores them. */
  maxIgnored: number;
  /** A tree with more entries is not covered. */
  maxEntries: number;
  /** A tree with more bytes is not covered. */
  maxBytes: number;
}

/** A path that is not in an imprint, and why. */
export interface Uncovered {
  path: string;
  why: "large" | "unreadable" | "special" | "ignored" | "dependencies or build output, and changed" | "only git had it";
}

export interface ScanOptions {
  root: string;
  limits: ScanLimits;
  /** Absolute paths of our own files. */
  skip: ReadonlySet<string>;
  /** Gathers the changes; undefined when there is nothing to compare with. */
  changes: Changes | undefined;
  /** Watches each directory from before it is read. */
  watch: TreeWatch | undefined;
  /** True when the ignore rules match a path; undefined when they were not read yet. */
  ignored(path: string): boolean | undefined;
}

/** Directories that programs generate; left out when git ignores them. */
const generated = new Set(
  [
    "node_modules bower_components .venv venv env __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox",
    "target dist build out .next .nuxt .svelte-kit .turbo .parcel-cache .cache .gradle .yarn .pnpm-store",
    "Pods DerivedData .terraform .dart_tool _build deps coverage .nyc_output vendor bin obj",
  ].flatMap((names) => names.split(" ")),
);

/** Names of these that people use for their own work, too; covered where there is no git. */
export const mayBeOwn: ReadonlySet<string> = new Set(["bin", "deps", "env", "vendor"]);

/** A file that was written so shortly before may be written again with the same times. */
const settleMs = 50;

export class TooMany extends Error {}

/**
 * Updates `dir` from the disk; contents that have to be read are listed, not read. Yields now and then, so that other
 * work can run in between.
 */
export function* scan(options: ScanOptions, dir: DirNode, from: string, now: number): Generator<void, Scanned> {
  const scanned = unscanned();
  const device = statOf(from === "" ? options.root : `${options.root}/${from}`)?.dev;
  if (device !== undefined) yield* scanDir({ ...options, scanned, now }, dir, from, device);
  return scanned;
}

/** Updates the entries of directories that are known to have changed. */
export function* scanTouched(options: ScanOptions, touched: readonly Touched[], now: number): Generator<void, Scanned> {
  const run = { ...options, scanned: unscanned(), now };
  for (const { dir, path, names } of touched) {
    const own = ownNames(run, path);
    // A directory that was taken out of the tree a moment ago is none of ours any more.
    for (const name of names) {
      const entry = run.watch?.isWatched(dir) && !own.has(name) ? update(run, dir, path, name) : "kept";
      if (typeof entry === "object") yield* scanDir(run, entry.dir, entry.path, entry.device);
    }
  }
  return run.scanned;
}

/** A file or link whose content has to be read. */
export interface Unread {
  path: string;
  parent: DirNode;
  name: string;
  node: LeafNode;
  /** The state before, where the content is known. */
  known: LeafNode | undefined;
}

const unscanned = () => ({
  entries: 0,
  unread: [] as Unread[],
  /** True when an ignore file has changed. */
  rules: false,
  uncovered: [] as Uncovered[],
  /** Directories of generated files that were left out, with a mark that shows changes. */
  heaps: new Map<string, string>(),
  /** Paths that were left out until the ignore rules are read. */
  doubtful: [] as string[],
  /** Directories that are not watched, and files that may change without the kernel telling of it. */
  unwatched: new Set<string>(),
  /** Files of attributes, which may have git store other bytes than those of a file. */
  attributes: [] as string[],
});

export type Scanned = ReturnType<typeof unscanned>;

/** Updates one path, and new directories above it. */
export function scanPath(options: ScanOptions, root: DirNode, path: string, now: number): Scanned {
  const run: Run = { ...options, scanned: unscanned(), now };
  const names = path.split("/");
  const way: DirNode[] = [root];
  for (const [i, name] of names.entries()) {
    const parent = way.at(-1) as DirNode;
    const here = names.slice(0, i + 1).join("/");
    if (name === ".git" || run.skip.has(`${run.root}/${here}`)) break;
    const stat = statOf(`${run.root}/${here}`);
    noteLinked(run, here, stat);
    const work = look(run, parent, here, name, stat);
    const node = parent.children.get(name);
    if (node?.is !== "dir") break;
    if (i === names.length - 1 && work && stat) for (const _ of scanDir(run, node, here, stat.dev)) void _;
    way.push(node);
  }
  return run.scanned;
}

interface Run extends ScanOptions {
  scanned: Scanned;
  now: number;
}

function* scanDir(run: Run, dir: DirNode, path: string, device: number): Generator<void> {
  const full = path === "" ? run.root : `${run.root}/${path}`;
  if (run.watch?.add(dir, full, path, device) === false) run.scanned.unwatched.add(path);
  const names = list(run, path);
  if (!names) return;
  const own = ownNames(run, path);
  let met = 0;
  for (const name of names) {
    if (own.has(name)) continue;
    const entry = update(run, dir, path, name);
    if (entry !== "left out") met++;
    if ((run.scanned.entries & 63) === 0) yield;
    if (typeof entry === "object") yield* scanDir(run, entry.dir, entry.path, entry.device);
  }
  if (met < dir.children.size) drop(run, dir, path, new Set(names).difference(own));
}

/** Updates one entry of a directory; a directory is returned, whose own entries come next. */
function update(
  run: Run,
  parent: DirNode,
  path: string,
  name: string,
): "kept" | "left out" | { dir: DirNode; path: string; device: number } {
  const here = path === "" ? name : `${path}/${name}`;
  const known = parent.children.get(name);
  if (known === undefined && isAside(run, here, name)) return "left out";
  if (++run.scanned.entries > run.limits.maxEntries) throw new TooMany();
  const stat = statOf(`${run.root}/${here}`);
  noteLinked(run, here, stat);
  if (name === ".gitattributes") run.scanned.attributes.push(`${run.root}/${here}`);
  if (known && isUnchanged(run, known, stat)) return "kept";
  const below = look(run, parent, here, name, stat);
  const node = parent.children.get(name);
  if (node?.is === "dir" && below && stat) return { dir: node, path: here, device: stat.dev };
  return node === undefined ? "left out" : "kept";
}

/** Notes a file with several names: written through another one it changes where nothing is watched. */
function noteLinked(run: Run, path: string, stat: Stats | undefined): void {
  if (stat && stat.nlink > 1 && !stat.isDirectory()) run.scanned.unwatched.add(path);
}

/** Names in a directory that do not belong to the project. */
function ownNames({ root, skip }: Run, path: string): Set<string> {
  const full = path === "" ? root : `${root}/${path}`;
  return new Set([".git", ...[...skip].filter((ours) => dirname(ours) === full).map((ours) => basename(ours))]);
}

/** Removes entries that no longer exist. */
function drop(run: Run, dir: DirNode, path: string, there: ReadonlySet<string>): void {
  for (const name of [...dir.children.keys()])
    if (!there.has(name)) put(run, dir, path === "" ? name : `${path}/${name}`, undefined);
}

/** True when a file or link is unchanged, and small enough to be kept without asking. */
const isUnchanged = ({ limits }: Run, known: Node, stat: Stats | undefined): boolean =>
  stat !== undefined &&
  known.is !== "dir" &&
  isSameFile(known, stat) &&
  known.mode === (stat.mode & 0o7777) &&
  (stat.mode & fileType) === (known.is === "file" ? regular : link) &&
  stat.size <= limits.maxIgnored &&
  stat.size <= limits.maxFile;

const [fileType, regular, link] = [0o170000, 0o100000, 0o120000];

/** True for our temporary files; removes those of dead processes. */
function isAside(run: Run, path: string, name: string): boolean {
  const owner = asideOwner(name);
  if (owner === undefined) return false;
  const stat = statOf(`${run.root}/${path}`);
  if (!stat?.isFile() && !stat?.isSymbolicLink()) return false;
  // The process may run on another machine; none writes for long.
  if (stat.mtimeMs < run.now - leftoverMs && !isAlive(owner))
    tryOr(() => rmSync(onDisk(`${run.root}/${path}`), { force: true }));
  return true;
}

const leftoverMs = 10_000;

function list(run: Run, path: string): string[] | undefined {
  try {
    const full = onDisk(`${run.root}/${path}`);
    const names = readdirSync(full);
    const hasOdd = names.some((name) => name.includes("\ufffd"));
    return hasOdd ? readdirSync(full, { encoding: "buffer" }).map(decodeName) : names;
  } catch (thrown) {
    if (codeOf(thrown) !== "ENOENT") run.scanned.uncovered.push({ path: path || ".", why: "unreadable" });
    return undefined;
  }
}

/** Looks at one entry and keeps it. True for a directory to scan. */
function look(run: Run, dir: DirNode, path: string, name: string, stat: Stats | undefined): boolean {
  const known = dir.children.get(name);
  if (stat?.isDirectory() && !(generated.has(name) && leaveOut(run, path, stat))) {
    const mode = stat.mode & 0o7777;
    if (known?.is !== "dir") put(run, dir, path, emptyDir(mode));
    else if (known.mode !== mode) {
      run.changes?.add({ path, before: { is: "dir", mode: known.mode }, after: { is: "dir", mode } });
      known.mode = mode;
    }
    return true;
  }
  const leaf = known && known.is !== "dir" ? known : undefined;
  const fresh = !stat || stat.isDirectory() ? undefined : leafAt(run, path, stat, leaf);
  if (fresh === leaf && (fresh || !known)) return false;
  put(run, dir, path, fresh);
  if (fresh && stat && fresh.id === "") run.scanned.unread.push({ path, parent: dir, name, node: fresh, known: leaf });
  return false;
}

function put(run: Run, dir: DirNode, path: string, node: Node | undefined): void {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const known = dir.children.get(name);
  run.changes?.put(path, known, node);
  if (known?.is === "dir") run.watch?.forget(known);
  if (name === ".gitignore") run.scanned.rules = true;
  if (node) dir.children.set(name, node);
  else dir.children.delete(name);
}

/** The node of a file or link, as it is known or without an id; undefined when it is left out. */
function leafAt(run: Run, path: string, stat: Stats, known: LeafNode | undefined): LeafNode | undefined {
  const mode = stat.mode & 0o7777;
  const out = (why: Uncovered["why"]) => {
    run.scanned.uncovered.push({ path, why });
    return undefined;
  };
  if (!stat.isFile() && !stat.isSymbolicLink()) return out("special");
  if (stat.size > run.limits.maxFile) return out("large");
  if (stat.size > run.limits.maxIgnored && leaveOut(run, path, stat))
    return run.ignored(path) ? out("ignored") : undefined;
  const is = stat.isFile() ? "file" : "link";
  if (known?.is === is && isSameFile(known, stat) && known.mode === mode) return known;
  const { size, mtimeMs: mtime, ctimeMs: ctime, ino } = stat;
  return { is, mode, size, mtime, ctime, ino, id: "", settled: false };
}

/** Reads a content; true when it is known now. Else the path is left out. */
export function readContent(
  { root, now }: { root: string; now: number },
  { path, node, known }: Unread,
  keep: (content: Buffer) => string,
): boolean {
  const content = contentOf(`${root}/${path}`, node.is);
  const isKnown =
    known?.is === node.is &&
    known.id !== "" &&
    known.size === node.size &&
    known.mtime === node.mtime &&
    known.ino === node.ino;
  // The content is the known one, if only the mode has changed.
  if (!content) {
    if (isKnown) Object.assign(node, { id: known.id, by: known.by, settled: known.settled });
    return isKnown;
  }
  const after = statOf(`${root}/${path}`);
  const isCalm = after?.mtimeMs === node.mtime && after.ctimeMs === node.ctime && after.size === node.size;
  node.id = keep(content);
  node.settled = isCalm && Math.max(node.mtime, node.ctime) < now - settleMs;
  return true;
}

/** True when a path is left out, because git ignores it or the ignore rules are not read yet. */
function leaveOut(run: Run, path: string, stat: Stats): boolean {
  const ignored = run.ignored(path);
  if (ignored === undefined) run.scanned.doubtful.push(path);
  if (ignored !== false && stat.isDirectory()) run.scanned.heaps.set(path, heapMark(stat));
  return ignored !== false;
}

/** Shows whether something was added to a directory or removed from it. */
export const heapMark = ({ ino, mtimeMs }: Stats): string => `${ino} ${mtimeMs}`;

const contentOf = (path: string, is: "file" | "link"): Buffer | undefined =>
  tryOr(() => (is === "link" ? readlinkSync(onDisk(path), { encoding: "buffer" }) : readFileSync(onDisk(path))));

export const statOf = (path: string): Stats | undefined =>
  tryOr(() => lstatSync(onDisk(path), { throwIfNoEntry: false }));
