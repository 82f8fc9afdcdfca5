import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, type Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { codeOf } from "@pith/kit";
import { asideOwner, isAlive } from "../fs/aside.ts";
import { nameOf, onDisk } from "../git/name.ts";
import { type DirNode, emptyDir, isSameFile, type LeafNode, type Node } from "./node.ts";
import type { ObjectStore } from "./object.ts";

export interface ScanLimits {
  /** A larger file is not kept. */
  maxFile: number;
  /** A larger file is not kept when git ignores it. */
  maxIgnored: number;
  /** More than this is no project. */
  maxEntries: number;
  /** All files together; a heap of data is no project either. */
  maxBytes: number;
}

/** What is not in an imprint, and why. */
export interface Uncovered {
  path: string;
  why: "large" | "unreadable" | "special" | "ignored" | "dependencies or build output, and changed";
}

export interface ScanOptions {
  root: string;
  objects: ObjectStore;
  limits: ScanLimits;
  /** Absolute paths that are none of the project's: our own files. */
  skip: ReadonlySet<string>;
  /** `weigh` reads no file and keeps nothing: it tells how much there would be to keep. */
  work: "keep" | "weigh";
  /** What the ignore rules say of a path; undefined when they have not been asked yet. */
  ignored(path: string): boolean | undefined;
}

export interface Scanned {
  entries: number;
  /** Of the files that had to be read. */
  bytes: number;
  changed: boolean;
  /** More than contents: something came, went, or has another mode. */
  reshaped: boolean;
  /** An ignore file is not what it was. */
  rules: boolean;
  uncovered: Uncovered[];
  /** Directories that were left out by their names, with what would tell a change. */
  heaps: Map<string, string>;
  /** Paths to ask the ignore rules about; left out until they have answered. */
  doubtful: string[];
}

/** Directories that programs fill and can fill again: left out when git ignores them. */
const heaps = new Set(
  [
    "node_modules bower_components .venv venv env __pycache__ .mypy_cache .pytest_cache .ruff_cache .tox",
    "target dist build out .next .nuxt .svelte-kit .turbo .parcel-cache .cache .gradle .yarn .pnpm-store",
    "Pods DerivedData .terraform .dart_tool _build deps coverage .nyc_output vendor bin obj",
  ].flatMap((names) => names.split(" ")),
);

/** Of these, names that people use for work of their own: without git to ask they are covered. */
export const ownHeaps: ReadonlySet<string> = new Set(["bin", "deps", "env", "vendor"]);

/** A file that was written less than this before we looked may be written again without its times telling. */
const settleMs = 50;

export class TooMany extends Error {}

/** Brings `dir` up to date with the disk. Yields now and then, so that whoever drives it can let others work. */
export function* scan(options: ScanOptions, dir: DirNode, from: string, now: number): Generator<void, Scanned> {
  const scanned = unscanned();
  yield* scanDir({ ...options, scanned, now }, dir, from);
  return scanned;
}

const unscanned = (): Scanned => ({
  entries: 0,
  bytes: 0,
  changed: false,
  reshaped: false,
  rules: false,
  uncovered: [],
  heaps: new Map(),
  doubtful: [],
});

/** Brings one path up to date; says whether it had changed. Parent directories that are new are taken along. */
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
  const own = ownIn(run, path);
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

/** Brings a name up to date; false when nothing of it is kept. */
function* renew(run: Run, dir: DirNode, here: string, name: string, stat: Stats | undefined): Generator<void, boolean> {
  const known = dir.children.get(name);
  const id = known?.id;
  const below = look(run, dir, here, name, stat);
  const node = dir.children.get(name);
  if (node?.is === "dir" && below) yield* scanDir(run, node, here);
  if (node !== known || node?.id !== id || id === undefined) dir.id = undefined;
  return node !== undefined;
}

/** Names in a directory that are none of the project's. */
function ownIn({ root, skip }: Run, path: string): Set<string> {
  const full = path === "" ? root : `${root}/${path}`;
  return new Set([".git", ...[...skip].filter((ours) => dirname(ours) === full).map((ours) => basename(ours))]);
}

/** Forgets what is not there any more. */
function drop(run: Run, dir: DirNode, there: ReadonlySet<string>): void {
  for (const name of [...dir.children.keys()]) if (!there.has(name)) put(run, dir, name, undefined);
  dir.id = undefined;
}

/** Whether a file or link is what it was, and of a size at which nobody has to be asked about it. */
const isUnchanged = ({ limits }: Run, known: Node, stat: Stats | undefined): boolean =>
  stat !== undefined &&
  known.is !== "dir" &&
  isSameFile(known, stat) &&
  known.mode === (stat.mode & 0o7777) &&
  (stat.mode & fileType) === (known.is === "file" ? regular : link) &&
  stat.size <= limits.maxIgnored &&
  stat.size <= limits.maxFile;

const [fileType, regular, link] = [0o170000, 0o100000, 0o120000];

/** What is written beside a file is none of the project's; what a killed process left of it is cleared away. */
function isAside(run: Run, path: string, name: string): boolean {
  const owner = asideOwner(name);
  if (owner === undefined) return false;
  const stat = statOf(`${run.root}/${path}`);
  if (!stat?.isFile() && !stat?.isSymbolicLink()) return false;
  // A process of another machine or container cannot be seen from here, but it does not write for long.
  if (stat.mtimeMs < run.now - leftoverMs && !isAlive(owner)) clear(`${run.root}/${path}`);
  return true;
}

/** Where it may not be removed, it stays: that is no reason to keep no imprint. */
function clear(path: string): void {
  try {
    rmSync(onDisk(path), { force: true });
  } catch (thrown) {
    if (codeOf(thrown) === undefined) throw thrown;
  }
}

const leftoverMs = 10_000;

function list(run: Run, path: string): string[] | undefined {
  try {
    const full = onDisk(`${run.root}/${path}`);
    const names = readdirSync(full);
    return names.some((name) => name.includes("\ufffd"))
      ? readdirSync(full, { encoding: "buffer" }).map(nameOf)
      : names;
  } catch (thrown) {
    if (codeOf(thrown) !== "ENOENT") run.scanned.uncovered.push({ path: path || ".", why: "unreadable" });
    return undefined;
  }
}

/** Looks at one name and keeps what is there. True when it is a directory to go into. */
function look(run: Run, dir: DirNode, path: string, name: string, stat: Stats | undefined): boolean {
  const known = dir.children.get(name);
  if (stat?.isDirectory() && !(heaps.has(name) && leaveOut(run, path, stat))) {
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

/** Undefined when it is left out. */
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
  // A mode that forbids reading is no other content.
  if (
    !content &&
    known?.is === is &&
    known.size === stat.size &&
    known.mtime === stat.mtimeMs &&
    known.ino === stat.ino
  )
    return { ...known, mode, ctime: stat.ctimeMs };
  if (!content) return out("unreadable");
  const after = statOf(`${run.root}/${path}`);
  const calm =
    after !== undefined && after.mtimeMs === stat.mtimeMs && after.ctimeMs === stat.ctimeMs && after.size === stat.size;
  const settled = calm && Math.max(stat.mtimeMs, stat.ctimeMs) < run.now - settleMs;
  return {
    is,
    mode,
    size: stat.size,
    mtime: stat.mtimeMs,
    ctime: stat.ctimeMs,
    ino: stat.ino,
    id: run.objects.put("blob", content),
    settled,
  };
}

/** Left out when git ignores it; until git has been asked, left out and asked about. */
function leaveOut(run: Run, path: string, stat: Stats): boolean {
  const ignored = run.ignored(path);
  if (ignored === undefined) run.scanned.doubtful.push(path);
  if (ignored !== false && stat.isDirectory()) run.scanned.heaps.set(path, `${stat.ino} ${stat.mtimeMs}`);
  return ignored !== false;
}

function contentOf(path: string, is: "file" | "link"): Buffer | undefined {
  try {
    return is === "link" ? readlinkSync(onDisk(path), { encoding: "buffer" }) : readFileSync(onDisk(path));
  } catch {
    return undefined;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(onDisk(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
