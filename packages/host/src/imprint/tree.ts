// Imprints as older versions have kept them: a commit for each, with the tree and its modes. They are only read.
import { decodeName } from "../git/name.ts";
import { type Difference, type Entry, sameEntry } from "./change.ts";
import type { ObjectStore } from "./object.ts";

/** All modes, of which git trees keep only one bit: the usual ones, and those that differ. */
interface Manifest {
  file: number;
  dir: number;
  modes: Record<string, number>;
}

/** The differences of two imprints by path; a directory comes before its entries. */
export function diffImprints(objects: ObjectStore, a: string, b: string): Difference[] {
  if (a === b) return [];
  const [old, now] = [open(objects, a), open(objects, b)];
  const differences = new Map<string, Difference>();
  // Equal trees may differ in modes, if the usual modes differ.
  const isEqual = old.manifest.file === now.manifest.file && old.manifest.dir === now.manifest.dir;
  const add = (path: string, before: Entry | undefined, after: Entry | undefined) => {
    if (!sameEntry(before, after)) differences.set(path, { path, before, after });
  };
  const compare = (path: string, a: string | undefined, b: string | undefined) => {
    if (a === b && isEqual) return;
    const [before, after] = [rowsByName(objects, a), rowsByName(objects, b)];
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(name), after.get(name)];
      if (was?.id === is?.id && was?.mode === is?.mode && isEqual) continue;
      const here = path === "" ? name : `${path}/${name}`;
      add(here, was && entryOf(old.manifest, here, was), is && entryOf(now.manifest, here, is));
      const [below, above] = [was, is].map((row) => (row?.mode === "40000" ? row.id : undefined));
      if (below !== undefined || above !== undefined) compare(here, below, above);
    }
  };
  compare("", old.tree, now.tree);
  for (const path of new Set([...Object.keys(old.manifest.modes), ...Object.keys(now.manifest.modes)])) {
    if (differences.has(path) || old.manifest.modes[path] === now.manifest.modes[path]) continue;
    const [before, after] = [find(objects, old, path), find(objects, now, path)];
    if (before && after) add(path, before, after);
  }
  return [...differences.values()].sort((x, y) => (x.path < y.path ? -1 : 1));
}

/** Adds all objects that an imprint needs to `seen`. */
export function addObjects(objects: ObjectStore, imprint: string, seen: Set<string>): void {
  if (seen.has(imprint)) return;
  seen.add(imprint);
  const top = topOf(objects, imprint);
  const walk = (id: string) => {
    if (seen.has(id)) return;
    seen.add(id);
    for (const row of readTree(objects, id)) {
      if (row.mode === "40000") walk(row.id);
      else seen.add(row.id);
    }
  };
  walk(top);
}

interface Opened {
  tree: string;
  manifest: Manifest;
}

function topOf(objects: ObjectStore, imprint: string): string {
  const top = /^tree ([0-9a-f]{40})$/m.exec(objects.get(imprint, "commit").toString())?.[1];
  if (!top) throw new Error(`the imprint ${imprint} is damaged`);
  return top;
}

function open(objects: ObjectStore, imprint: string): Opened {
  const rows = readTree(objects, topOf(objects, imprint));
  const [manifest, tree] = ["manifest.json", "tree"].map((name) => rows.find((row) => row.name === name)?.id);
  if (!manifest || !tree) throw new Error(`the imprint ${imprint} is damaged`);
  return { tree, manifest: JSON.parse(objects.get(manifest, "blob").toString()) as Manifest };
}

interface TreeRow {
  mode: string;
  name: string;
  id: string;
}

function readTree(objects: ObjectStore, id: string): TreeRow[] {
  const body = objects.get(id, "tree");
  const rows: TreeRow[] = [];
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const end = body.indexOf(0, space);
    rows.push({
      mode: body.toString("latin1", at, space),
      name: decodeName(body.subarray(space + 1, end)),
      id: body.toString("hex", end + 1, end + 21),
    });
    at = end + 21;
  }
  return rows;
}

const rowsByName = (objects: ObjectStore, tree: string | undefined): Map<string, TreeRow> =>
  new Map((tree === undefined ? [] : readTree(objects, tree)).map((row) => [row.name, row]));

function find(objects: ObjectStore, opened: Opened, path: string): Entry | undefined {
  let tree = opened.tree;
  let row: TreeRow | undefined;
  for (const name of path.split("/")) {
    row = readTree(objects, tree).find((row) => row.name === name);
    if (!row) return undefined;
    tree = row.id;
  }
  return row && entryOf(opened.manifest, path, row);
}

function entryOf(manifest: Manifest, path: string, row: TreeRow): Entry {
  const mode = manifest.modes[path];
  if (row.mode === "40000") return { is: "dir", mode: mode ?? manifest.dir };
  return row.mode === "120000" ? { is: "link", id: row.id } : { is: "file", mode: mode ?? manifest.file, id: row.id };
}
