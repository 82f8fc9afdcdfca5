import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { codeOf, shortId } from "@pith/kit";
import type { Env } from "../exec/env.ts";
import { ignoredBy } from "../git/ignore.ts";
import { onDisk } from "../git/name.ts";
import { type DirNode, emptyDir, type Node, pack, unpack } from "./node.ts";
import { ObjectStore, refs } from "./object.ts";
import { entryAt, type Restore, restoreAll, type Unrestored, unreadable } from "./restore.ts";
import {
  ownHeaps,
  type ScanLimits,
  type Scanned,
  type ScanOptions,
  scan,
  scanPath,
  TooMany,
  type Uncovered,
} from "./scan.ts";
import { type Difference, diffImprints, type Entry, reach, writeImprint, writeManifest } from "./tree.ts";

export interface ShadowOptions {
  /** Where the store lives; never inside the project. */
  dir: string;
  /** The project, with links resolved. */
  root: string;
  limits: ScanLimits;
  env: Env;
  now(): number;
  /** Absolute paths that are none of the project's: our own files. */
  skip: readonly string[];
}

/** `background` lets others work in between; `now` does not stop until it is done. */
export type Pace = "now" | "background";

export type Taken =
  | { ok: true; id: string; uncovered: Uncovered[]; heaps: ReadonlyMap<string, string> }
  | { ok: false; why: "too many files" | "too much data" };

/**
 * Imprints of a work tree in a git store of our own. Of the project's own repository only the ignore files and the
 * names in the index are read, and nothing is written.
 */
export class Shadow {
  readonly root: string;
  readonly #options: ShadowOptions;
  readonly #objects: ObjectStore;
  #tree: DirNode | undefined;
  #last: { id: string; manifest: string; uncovered: Uncovered[] } | undefined;
  /** By path; undone when an ignore file changes. */
  #ignored = new Map<string, boolean>();
  #urgent = false;
  /** Ends a pause. */
  #wake = (): void => {};
  #stopped = false;

  constructor(options: ShadowOptions) {
    this.#options = options;
    this.root = options.root;
    this.#objects = new ObjectStore(join(options.dir, "git"));
  }

  /** Bytes on the disk. */
  size(): number {
    const objects = join(this.#options.dir, "git", "objects");
    const sizes = namesIn(objects).flatMap((folder) =>
      namesIn(join(objects, folder)).map(
        (name) => statSync(join(objects, folder, name), { throwIfNoEntry: false })?.size ?? 0,
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Whether this project has an imprint from an earlier run, so that the next one is quick. */
  get warm(): boolean {
    return this.#tree !== undefined || statSync(this.#index, { throwIfNoEntry: false }) !== undefined;
  }

  /** Gives up a scan in the background. */
  stop(): void {
    this.#stopped = true;
  }

  /** From now on a scan in the background does not pause any more: somebody waits for it. */
  hurry(): void {
    this.#stopped = false;
    this.#urgent = true;
    this.#wake();
  }

  /** The state of the whole tree. */
  async take(pace: Pace): Promise<Taken> {
    const tree = this.#open();
    this.#urgent = pace === "now";
    try {
      // Before anything is kept for the first time, it is weighed.
      const weight = this.#last ? 0 : (await this.#look(emptyDir(0o755), "weigh")).bytes;
      if (weight > this.#options.limits.maxBytes) return { ok: false, why: "too much data" };
      const seen = await this.#look(tree, "keep");
      return { ok: true, ...this.#write(tree, seen), heaps: seen.heaps };
    } catch (thrown) {
      if (thrown instanceof TooMany) return { ok: false, why: "too many files" };
      throw thrown;
    }
  }

  diff(a: string, b: string): Difference[] {
    return diffImprints(this.#objects, a, b);
  }

  /** What stands at a path of the project now. */
  current(path: string): Entry | undefined {
    const entry = entryAt(this.root, path);
    if (entry?.is !== "file" || entry.id !== unreadable) return entry;
    // It cannot be read, but it may be known to be as it was last seen.
    const node = path
      .split("/")
      .reduce<Node | undefined>((dir, name) => (dir?.is === "dir" ? dir.children.get(name) : undefined), this.#open());
    const stat = lstatSync(onDisk(join(this.root, path)), { throwIfNoEntry: false });
    return node?.is === "file" &&
      stat &&
      node.mtime === stat.mtimeMs &&
      node.ctime === stat.ctimeMs &&
      node.ino === stat.ino
      ? { ...entry, id: node.id }
      : entry;
  }

  content(id: string): Buffer {
    return this.#objects.get(id, "blob");
  }

  keep(content: Uint8Array): string {
    this.#objects.prepare();
    return this.#objects.put("blob", content);
  }

  restore(wanted: readonly Restore[]): Unrestored[] {
    return restoreAll(this.root, this.#objects, wanted);
  }

  /** Keeps the stat figures for the next run. */
  save(): void {
    if (!this.#tree || !this.#last) return;
    // Another process may be doing the same.
    const aside = `${this.#index}.${shortId(() => false)}`;
    const body = JSON.stringify({
      version: 2,
      root: this.root,
      ignored: [...this.#ignored],
      last: this.#last,
      tree: pack("", this.#tree),
    });
    writeFileSync(aside, body, { mode: 0o600 });
    renameSync(aside, this.#index);
  }

  /** Removes every object that none of these imprints and contents needs; the newest imprint stays. */
  sweep(imprints: Iterable<string>, contents: Iterable<string>): void {
    const needed = new Set<string>(contents);
    this.#open();
    for (const id of [...imprints, ...(this.#last ? [this.#last.id] : [])]) reach(this.#objects, id, needed);
    const objects = join(this.#options.dir, "git", "objects");
    for (const folder of namesIn(objects)) {
      for (const name of namesIn(join(objects, folder))) {
        if (name.startsWith("tmp-")) rmSync(join(objects, folder, name), { force: true });
        else if (!needed.has(folder + name)) this.#objects.drop(folder + name);
      }
    }
    for (const name of namesIn(this.#refs)) if (!needed.has(name)) rmSync(join(this.#refs, name), { force: true });
  }

  get #index(): string {
    return join(this.#options.dir, "index.json");
  }

  get #refs(): string {
    return join(this.#options.dir, "git", refs);
  }

  #open(): DirNode {
    if (this.#tree) return this.#tree;
    this.#objects.prepare();
    this.#tree = this.#load() ?? emptyDir(0o755);
    return this.#tree;
  }

  /** A broken or foreign index only means that every file is read again. */
  #load(): DirNode | undefined {
    try {
      const kept = JSON.parse(readFileSync(this.#index, "utf8"));
      const tree = kept.version === 2 && kept.root === this.root ? unpack(kept.tree) : undefined;
      if (tree?.is !== "dir" || !this.#objects.has(kept.last.id)) return undefined;
      this.#ignored = new Map(kept.ignored);
      this.#last = kept.last;
      return tree;
    } catch {
      return undefined;
    }
  }

  /** Brings a tree up to date with the disk; what may be ignored is looked at once the rules say that it is not. */
  async #look(tree: DirNode, work: ScanOptions["work"]): Promise<Seen> {
    const options = { ...this.#scanOptions(), work };
    const first = await this.#drive(scan(options, tree, "", this.#options.now()));
    const seen: Seen = { ...first, uncovered: [...first.uncovered] };
    for (let doubtful = first.doubtful; doubtful.length > 0; ) {
      this.#decide(doubtful);
      const [fine, ignored] = [false, true].map((answer) =>
        doubtful.filter((path) => this.#ignored.get(path) === answer),
      ) as [string[], string[]];
      seen.uncovered.push(
        ...ignored
          .filter((path) => !isHeap(join(this.root, path)))
          .map((path): Uncovered => ({ path, why: "ignored" })),
      );
      doubtful = [];
      for (const path of fine) {
        seen.heaps.delete(path);
        const more = scanPath(options, tree, path, this.#options.now());
        merge(seen, more);
        doubtful.push(...more.doubtful);
      }
    }
    return seen;
  }

  #scanOptions(): Omit<ScanOptions, "work"> {
    return {
      root: this.root,
      objects: this.#objects,
      limits: this.#options.limits,
      skip: new Set(this.#options.skip),
      ignored: (path) => this.#ignored.get(path),
    };
  }

  async #drive<T>(work: Generator<void, T>): Promise<T> {
    let began = performance.now();
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      // In the background it takes a fifth of the time and leaves the rest to the conversation.
      if (this.#urgent || performance.now() - began < 2) continue;
      await new Promise<void>((done) => {
        this.#wake = done;
        setTimeout(done, 8);
      });
      if (this.#stopped) throw new Error("stopped");
      began = performance.now();
    }
  }

  #write(tree: DirNode, seen: Seen): { id: string; uncovered: Uncovered[] } {
    // Answers hold as long as the ignore files are what they were.
    if (seen.rules && this.#last) this.#ignored.clear();
    const same = !seen.changed && tree.id !== undefined ? this.#last : undefined;
    const manifest = seen.reshaped || !this.#last ? writeManifest(this.#objects, tree) : this.#last.manifest;
    const id = same?.id ?? writeImprint(this.#objects, tree, manifest);
    if (!same) writeFileSync(join(this.#refs, id), `${id}\n`, { mode: 0o600 });
    this.#last = { id, manifest, uncovered: seen.uncovered };
    return { id, uncovered: seen.uncovered };
  }

  #decide(paths: readonly string[]): void {
    const ignored = ignoredBy(this.root, paths, this.#options.env);
    // Without a repository, what is usually filled by programs is taken for ignored, and a large file for the
    // user's own.
    for (const path of paths)
      this.#ignored.set(
        path,
        ignored ? ignored.has(path) : isHeap(join(this.root, path)) && !ownHeaps.has(basename(path)),
      );
  }
}

type Seen = Pick<Scanned, "bytes" | "changed" | "heaps" | "reshaped" | "rules" | "uncovered">;

function merge(all: Seen, more: Seen): void {
  all.bytes += more.bytes;
  all.changed ||= more.changed;
  all.reshaped ||= more.reshaped;
  all.rules ||= more.rules;
  all.uncovered.push(...more.uncovered);
  for (const [path, mark] of more.heaps) all.heaps.set(path, mark);
}

/** A directory that programs fill is left out by design, and not worth a word each time. */
const isHeap = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT" || codeOf(thrown) === "ENOTDIR") return [];
    throw thrown;
  }
}
