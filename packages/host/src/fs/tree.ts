import { join } from "node:path";
import { ok, type Result, tryOr } from "@pith/kit";
import { type FsKind, fsFailure } from "./failure.ts";
import type { Held, ListedName } from "./hold/held.ts";
import { holdToRead, timeOf } from "./hold/hold.ts";
import { rawPath, shownName } from "./raw.ts";

export interface FolderEntry {
  name: string;
  /** 0 for entries of the directory itself. */
  depth: number;
  /** The type of a link is that of its target; a dangling link is "other". */
  type: "directory" | "file" | "other";
  link?: true;
  /** Bytes of a file. */
  size?: number;
  /** Epoch milliseconds; absent when it vanished or may not be looked at. */
  changed?: number;
  /** Number of entries of the same directory that are left out after this one. */
  more?: number;
}

export interface TreeRequest {
  depth: number;
  /** Entries shown of each directory below the first. */
  perDirectory: number;
  max: number;
  signal: AbortSignal;
}

export interface Tree {
  entries: FolderEntry[];
  /** Entries of the directory itself. */
  total: number;
  /** `cut` if entries were left out because of `max`. */
  cut: "complete" | "cut";
}

/** The entries of a directory, the last changed first, with a few of each directory below. */
export async function readTree(path: string, request: TreeRequest): Promise<Result<Tree, FsKind>> {
  try {
    const top = childrenOf(path);
    const entries: FolderEntry[] = [];
    await add(entries, { path, children: top, depth: 0 }, request);
    return ok({
      entries: entries.slice(0, request.max),
      total: top.length,
      cut: entries.length > request.max ? "cut" : "complete",
    });
  } catch (thrown) {
    return fsFailure(path, thrown);
  }
}

interface Folder {
  path: string;
  children: FolderEntry[];
  depth: number;
}

/** Directories whose many entries would push everything else out of sight. */
const closed = new Set([".git", "node_modules"]);

async function add(entries: FolderEntry[], { path, children, depth }: Folder, request: TreeRequest): Promise<void> {
  const shown = depth === 0 ? children : children.slice(0, request.perDirectory);
  for (const child of shown) {
    if (entries.length > request.max) return;
    // A directory may hold very many: let others have their turn, and stop when told to.
    if (entries.length % 100 === 99) await new Promise(setImmediate);
    request.signal.throwIfAborted();
    entries.push({ ...child, depth });
    // A link may lead back to where we are.
    if (child.type !== "directory" || child.link || depth + 1 >= request.depth || closed.has(child.name)) continue;
    const below = join(path, child.name);
    await add(entries, { path: below, children: tryOr(() => childrenOf(below), []), depth: depth + 1 }, request);
  }
  const last = entries.at(-1);
  if (shown.length < children.length && last) last.more = children.length - shown.length;
}

function childrenOf(path: string): FolderEntry[] {
  // Through one handle: whatever takes the place of the path, names and types are those of one directory.
  const held = holdToRead(rawPath(path));
  try {
    const all = held.list().map((entry) => describe(held, entry));
    return all.sort((a, b) => (b.changed ?? 0) - (a.changed ?? 0) || (a.name < b.name ? -1 : 1));
  } finally {
    held.close();
  }
}

function describe(parent: Held, { name, isLink }: ListedName): FolderEntry {
  // An entry may have vanished since the listing, and a link may dangle.
  const stat = tryOr(() => parent.stat(name, "target"));
  const type = stat?.isDirectory() ? "directory" : stat?.isFile() ? "file" : "other";
  return {
    // A name that is not UTF-8 is spelled so that it can be opened again.
    name: shownName(name),
    depth: 0,
    type,
    link: isLink || undefined,
    size: type === "file" ? Number(stat?.size) : undefined,
    changed: stat && timeOf(stat),
  };
}
