import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileStat, isDirectory, shortId, sumOf, tryOr } from "@pith/kit";
import type { Env } from "../exec/env.ts";
import { ignoredBy } from "../git/ignore.ts";
import { onDisk } from "../git/name.ts";
import { type DirNode, emptyDir, type Node, pack, unpack } from "./node.ts";
import { ObjectStore, refs } from "./object.ts";
import { entryAt, type Restore, restoreAll, type Unrestored, unreadable } from "./restore.ts";
import {
  mayBeOwn,
  type ScanLimits,
  type Scanned,
  type ScanOptions,
  scan,
  scanPath,
  TooMany,
  type Uncovered,
} from "./scan.ts";
import { addObjects, type Difference, diffImprints, type Entry, writeImprint, writeManifest } from "./tree.ts";

export interface ShadowOptions {
  /** The directory of the store, outside of the project. */
  dir: string;
  /** The project, with links resolved. */
  root: string;
  limits: ScanLimits;
  env: Env;
  now(): number;
  /** Absolute paths of our own files. */
  skip: readonly string[];
}

/** With `background` other work can run in between. */
type Pace = "now" | "background";

type TakenImprint =
  | { ok: true; id: string; uncovered: Uncovered[]; heaps: ReadonlyMap<string, string> }
  | { ok: false; why: "too many files" | "too much data" };

/**
 * Imprints of a work tree, in a git store of our own. Reads only the ignore files and the index of the project's own
 * repository, and writes nothing there.
 */
export class Shadow {
  readonly root: string;
  readonly #options: ShadowOptions;
  readonly #objects: ObjectStore;
  #tree: DirNode | undefined;
  #last: { id: string; manifest: string; uncovered: Uncovered[] } | undefined;
  /** True for ignored paths; cleared when an ignore file changes. */
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

  /** Bytes of the store. */
  size(): number {
    const objects = join(this.#options.dir, "git", "objects");
    const files = namesIn(objects).flatMap((folder) =>
      namesIn(join(objects, folder)).map((name) => join(folder, name)),
    );
    return sumOf(files, (file) => fileStat(join(objects, file))?.size ?? 0);
  }

  /** Stops a scan in the background. */
  stop(): void {
    this.#stopped = true;
  }

  /** Lets a running scan go on without pauses, because somebody waits for it. */
  hurry(): void {
    this.#stopped = false;
    this.#urgent = true;
    this.#wake();
  }

  /** Takes an imprint of the whole tree. */
  async take(pace: Pace): Promise<TakenImprint> {
    const tree = this.#open();
    this.#urgent = pace === "now";
    try {
      // The first time, nothing is kept before the size is known.
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

  /** The present state of a path. */
  current(path: string): Entry | undefined {
    const entry = entryAt(this.root, path);
    if (entry?.is !== "file" || entry.id !== unreadable) return entry;
    // An unreadable file may be known from before.
    const node = path
      .split("/")
      .reduce<Node | undefined>((dir, name) => (dir?.is === "dir" ? dir.children.get(name) : undefined), this.#open());
    const stat = lstatSync(onDisk(join(this.root, path)), { throwIfNoEntry: false });
    if (node?.is !== "file" || node.mtime !== stat?.mtimeMs || node.ctime !== stat.ctimeMs || node.ino !== stat.ino)
      return entry;
    return { ...entry, id: node.id };
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

  /** Saves the index for the next process. */
  save(): void {
    if (!this.#tree || !this.#last) return;
    // Another process may save at the same time.
    const aside = `${this.#index}.${shortId(() => false)}`;
    const [ignored, tree] = [[...this.#ignored], pack("", this.#tree)];
    const body = JSON.stringify({ version: 2, root: this.root, ignored, last: this.#last, tree });
    writeFileSync(aside, body, { mode: 0o600 });
    renameSync(aside, this.#index);
  }

  /** Removes all objects that neither these imprints and contents nor the newest imprint need. */
  sweep(imprints: Iterable<string>, contents: Iterable<string>): void {
    const needed = new Set<string>(contents);
    this.#open();
    for (const id of [...imprints, ...(this.#last ? [this.#last.id] : [])]) addObjects(this.#objects, id, needed);
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

  /** Loads the index; without a valid one, every file is read again. */
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

  /** Updates a tree from the disk; scans doubtful paths when the ignore rules say that they are not ignored. */
  async #look(tree: DirNode, work: ScanOptions["work"]): Promise<Seen> {
    const options = { ...this.#scanOptions(), work };
    const first = await this.#drive(scan(options, tree, "", this.#options.now()));
    const seen: Seen = { ...first, uncovered: [...first.uncovered] };
    for (let doubtful = first.doubtful; doubtful.length > 0; ) {
      this.#decide(doubtful);
      const paths = doubtful;
      doubtful = [];
      for (const path of paths) {
        // Ignored directories are generated; they are not worth a message.
        if (!this.#ignored.get(path)) {
          seen.heaps.delete(path);
          const more = scanPath(options, tree, path, this.#options.now());
          merge(seen, more);
          doubtful.push(...more.doubtful);
        } else if (!isDirectory(join(this.root, path))) seen.uncovered.push({ path, why: "ignored" });
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
      // In the background a fifth of the time goes to the scan.
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
    // Without a repository, generated directories count as ignored, and large files as the user's own.
    const isGenerated = (path: string) => isDirectory(join(this.root, path)) && !mayBeOwn.has(basename(path));
    for (const path of paths) this.#ignored.set(path, ignored ? ignored.has(path) : isGenerated(path));
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

const namesIn = (dir: string): string[] => tryOr(() => readdirSync(dir), []);
