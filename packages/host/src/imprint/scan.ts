import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { codeOf, tryOr } from "@pith/kit";
import { asideOwner, isAlive } from "../fs/aside.ts";
import { decodeName, onDisk } from "../git/name.ts";
import { type DirNode, emptyDir, isSameFile, type LeafNode, type Node } from "./node.ts";
import type { ObjectStore } from "./object.ts";

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
  why: "large" | "unreadable" | "special" | "ignored" | "dependencies or build output, and changed";
}

export interface ScanOptions {
  root: string;
  objects: ObjectStore;
  limits: ScanLimits;
  /** Absolute paths of our own files. */
  skip: ReadonlySet<string>;
  /** `weigh` only counts the bytes to keep, and reads no file. */
  work: "keep" | "weigh";
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

/** Updates `dir` from the disk. Yields now and then, so that other work can run in between. */
export function* scan(options: ScanOptions, dir: DirNode, from: string, now: number): Generator<void, Scanned> {
  const scanned = unscanned();
  yield* scanDir({ ...options, scanned, now }, dir, from);
  return scanned;
}

const unscanned = () => ({
  entries: 0,
  /** Bytes of the files that had to be read. */
  bytes: 0,
  changed: false,
  /** True when something was added, removed, or has another mode. */
  reshaped: false,
  /** True when an ignore file has changed. */
  rules: false,
  uncovered: [] as Uncovered[],
  /** Directories of generated files that were left out, with a mark that shows changes. */
  heaps: new Map<string, string>(),
  /** Paths that were left out until the ignore rules are read. */
  doubtful: [] as string[],
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
    const work = look(run, parent, here, name, statOf(`${run.root}/${here}`));
    const node = parent.children.get(name);
    if (node?.is !== "dir") break;
    if (i === names.length - 1 && work) for (const _ of scanDir(run, node, here)) void _;
    way.push(node);
  }
  if (run.scanned.changed) for (const dir of way) dir.id = undefined;
  return run.scanned;
}

interface Run extends ScanOptions {
  scanned: Scanned;
  now: number;
}

function* scanDir(run: Run, dir: DirNode, path: string): Generator<void> {
  const names = list(run, path);
  if (!names) return;
  const before = dir.children.size;
  const own = ownNames(run, path);
  let met = 0;
  for (const name of names) {
    const here = path === "" ? name : `${path}/${name}`;
    const known = dir.children.get(name);
    if (own.has(name) || (known === undefined && isAside(run, here, name))) continue;
    if (++run.scanned.entries > run.limits.maxEntries) throw new TooMany();
    if ((run.scanned.entries & 63) === 0) yield;
    const stat = statOf(`${run.root}/${here}`);
    if ((known && isUnchanged(run, known, stat)) || (yield* renew(run, dir, here, name, stat))) met++;
  }
  if (met < dir.children.size) drop(run, dir, new Set(names).difference(own));
  if (before !== dir.children.size) dir.id = undefined;
}

/** Updates one entry of a directory; false when nothing of it is kept. */
function* renew(run: Run, dir: DirNode, here: string, name: string, stat: Stats | undefined): Generator<void, boolean> {
  const known = dir.children.get(name);
  const id = known?.id;
  const below = look(run, dir, here, name, stat);
  const node = dir.children.get(name);
  if (node?.is === "dir" && below) yield* scanDir(run, node, here);
  if (node !== known || node?.id !== id || id === undefined) dir.id = undefined;
  return node !== undefined;
}

/** Names in a directory that do not belong to the project. */
function ownNames({ root, skip }: Run, path: string): Set<string> {
  const full = path === "" ? root : `${root}/${path}`;
  return new Set([".git", ...[...skip].filter((ours) => dirname(ours) === full).map((ours) => basename(ours))]);
}

/** Removes entries that no longer exist. */
function drop(run: Run, dir: DirNode, there: ReadonlySet<string>): void {
  for (const name of [...dir.children.keys()]) if (!there.has(name)) put(run, dir, name, undefined);
  dir.id = undefined;
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
    if (known?.is !== "dir") put(run, dir, name, emptyDir(mode));
    else if (known.mode !== mode) {
      known.mode = mode;
      run.scanned.changed = run.scanned.reshaped = true;
    }
    return true;
  }
  const leaf = known && known.is !== "dir" ? known : undefined;
  const fresh = !stat || stat.isDirectory() ? undefined : leafAt(run, path, stat, leaf);
  if (fresh && leaf && leaf.id === fresh.id && leaf.is === fresh.is && leaf.mode === fresh.mode)
    Object.assign(leaf, fresh);
  else if (fresh || known) put(run, dir, name, fresh);
  return false;
}

function put(run: Run, dir: DirNode, name: string, node: Node | undefined): void {
  const known = dir.children.get(name);
  if (!known || !node || known.is !== node.is || known.mode !== node.mode) run.scanned.reshaped = true;
  if (name === ".gitignore") run.scanned.rules = true;
  if (node) dir.children.set(name, node);
  else dir.children.delete(name);
  run.scanned.changed = true;
}

/** The node of a file or link; undefined when it is left out. */
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
  run.scanned.bytes += stat.size;
  if (run.work === "weigh") return { is, mode, size: 0, mtime: 0, ctime: 0, ino: 0, id: "", settled: false };
  const content = contentOf(`${run.root}/${path}`, is);
  if (!content) {
    // The content is the known one, if only the mode has changed.
    const isKnown =
      known?.is === is && known.size === stat.size && known.mtime === stat.mtimeMs && known.ino === stat.ino;
    return isKnown ? { ...known, mode, ctime: stat.ctimeMs } : out("unreadable");
  }
  const after = statOf(`${run.root}/${path}`);
  const { size, mtimeMs: mtime, ctimeMs: ctime, ino } = stat;
  const isCalm = after?.mtimeMs === mtime && after.ctimeMs === ctime && after.size === size;
  const settled = isCalm && Math.max(mtime, ctime) < run.now - settleMs;
  return { is, mode, size, mtime, ctime, ino, id: run.objects.put("blob", content), settled };
}

/** True when a path is left out, because git ignores it or the ignore rules are not read yet. */
function leaveOut(run: Run, path: string, stat: Stats): boolean {
  const ignored = run.ignored(path);
  if (ignored === undefined) run.scanned.doubtful.push(path);
  if (ignored !== false && stat.isDirectory()) run.scanned.heaps.set(path, `${stat.ino} ${stat.mtimeMs}`);
  return ignored !== false;
}

const contentOf = (path: string, is: "file" | "link"): Buffer | undefined =>
  tryOr(() => (is === "link" ? readlinkSync(onDisk(path), { encoding: "buffer" }) : readFileSync(onDisk(path))));

const statOf = (path: string): Stats | undefined => tryOr(() => lstatSync(onDisk(path), { throwIfNoEntry: false }));
