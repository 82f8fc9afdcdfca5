import { lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isDirectory, shortId, succeeds, sumOf, tryOr } from "@pith/kit";
import type { Env } from "../exec/env.ts";
import { ignoredBy } from "../git/ignore.ts";
import { onDisk } from "../git/name.ts";
import { GitObjects, objectId } from "../git/objects.ts";
import { type Repository, repositoryOf } from "../git/repository.ts";
import { TrackedFiles } from "../git/tracked.ts";
import { Changes, type Difference, type Entry, nodeAt } from "./change.ts";
import { type DirNode, emptyDir, pack, unpack } from "./node.ts";
import { ObjectStore } from "./object.ts";
import { entryAt, type Restore, restoreAll, type Unrestored, unreadable } from "./restore.ts";
import {
  heapMark,
  mayBeOwn,
  readContent,
  type ScanLimits,
  type Scanned,
  type ScanOptions,
  scan,
  scanPath,
  scanTouched,
  statOf,
  TooMany,
  type Uncovered,
  type Unread,
} from "./scan.ts";
import { addObjects, diffImprints } from "./tree.ts";
import { TreeWatch } from "./watch.ts";

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

type TreeLook =
  | {
      ok: true;
      /** Undefined for the first look, which has nothing to compare with. */
      changes: Changes | undefined;
      uncovered: Uncovered[];
      heaps: ReadonlyMap<string, string>;
    }
  | { ok: false; why: "too many files" | "too much data" };

/**
 * The state of a work tree as it was last seen. Contents are kept in a git store of our own; those of files that git
 * tracks and that have not changed are in the project's own repository already. Of that it reads the ignore files, the
 * index and the objects, and writes nothing there.
 */
export class Shadow {
  readonly root: string;
  readonly #options: ShadowOptions;
  readonly #objects: ObjectStore;
  #tree: DirNode | undefined;
  /** True when this process has seen the tree as a whole. */
  #isKnown = false;
  /** True when the index on disk is not what was last seen. */
  #isStale = false;
  /** True for ignored paths; cleared when an ignore file changes. */
  readonly #ignored = new Map<string, boolean>();
  #heaps = new Map<string, string>();
  #watch: TreeWatch | "none" | undefined;
  /** Set when changes of the whole tree are watched: all that may change without the kernel telling of it. */
  #unwatched: ReadonlySet<string> | undefined;
  #rootNumber = 0;
  #entries = 0;
  #repository: Repository | undefined;
  #urgent = false;
  /** True when somebody waits for the look that runs or comes next. */
  #awaited = false;
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
    return this.#objects.size();
  }

  /** Stops a scan in the background. */
  stop(): void {
    this.#stopped = true;
  }

  /** Lets a running scan go on without pauses, because somebody waits for it. */
  hurry(): void {
    this.#stopped = false;
    this.#awaited = true;
    this.#urgent = true;
    this.#wake();
  }

  /** Brings what is known of the tree up to date, and tells what has changed since the last time. */
  async look(pace: Pace): Promise<TreeLook> {
    const tree = this.#open();
    this.#urgent = pace === "now" || this.#awaited;
    this.#holdGit();
    try {
      const changes = this.#isKnown ? new Changes() : undefined;
      const seen = await this.#see(tree, changes);
      if (!this.#isKnown && this.#weightOf(seen.unread) > this.#options.limits.maxBytes) {
        this.#forget();
        return { ok: false, why: "too much data" };
      }
      await this.#read(seen, changes);
      this.#isKnown = true;
      this.#isStale ||= (changes?.size ?? 0) > 0 || seen.unread.some(({ node }) => node.by === undefined);
      return { ok: true, changes, uncovered: seen.uncovered, heaps: new Map(this.#heaps) };
    } catch (thrown) {
      this.#forget();
      if (thrown instanceof TooMany) return { ok: false, why: "too many files" };
      throw thrown;
    } finally {
      this.#awaited = false;
    }
  }

  /** The differences of two imprints, as older versions have kept them. */
  diff(a: string, b: string): Difference[] {
    return diffImprints(this.#objects, a, b);
  }

  /** The present state of a path. */
  current(path: string): Entry | undefined {
    const entry = entryAt(this.root, path);
    if (entry?.is !== "file" || entry.id !== unreadable) return entry;
    // An unreadable file may be known from before.
    const node = nodeAt(this.#open(), path);
    const stat = lstatSync(onDisk(join(this.root, path)), { throwIfNoEntry: false });
    if (node?.is !== "file" || node.mtime !== stat?.mtimeMs || node.ctime !== stat.ctimeMs || node.ino !== stat.ino)
      return entry;
    return { ...entry, id: node.id };
  }

  content(id: string): Buffer {
    if (!this.#objects.git) this.#holdGit();
    return this.#objects.get(id, "blob");
  }

  keep(content: Uint8Array): string {
    this.#objects.prepare();
    return this.#objects.put("blob", content);
  }

  /** Copies contents that only the project's repository has, and tells which of them it has no more. */
  own(ids: Iterable<string>): string[] {
    const all = [...ids].filter((id) => !this.#objects.has(id));
    if (all.length > manyFiles) this.#objects.bundle();
    const gone = all.filter((id) => !succeeds(() => this.#objects.own(id)));
    if (all.length > manyFiles) this.#objects.unbundle("kept");
    return gone;
  }

  restore(wanted: readonly Restore[]): Unrestored[] {
    if (!this.#objects.git) this.#holdGit();
    return restoreAll(this.root, this.#objects, wanted);
  }

  /** Saves the index for the next process. */
  save(): void {
    if (!this.#tree || !this.#isKnown || !this.#isStale) return;
    // Another process may save at the same time.
    const aside = `${this.#index}.${shortId(() => false)}`;
    const body = JSON.stringify({ version: 3, root: this.root, tree: pack("", this.#tree) });
    try {
      writeFileSync(aside, body, { mode: 0o600 });
      renameSync(aside, this.#index);
    } catch (thrown) {
      rmSync(aside, { force: true });
      throw thrown;
    }
    this.#isStale = false;
  }

  /** Removes all objects that neither the present tree nor these contents and old imprints need. */
  sweep(imprints: Iterable<string>, contents: Iterable<string>): void {
    const needed = new Set<string>(contents);
    const walk = (dir: DirNode) => {
      for (const node of dir.children.values())
        if (node.is === "dir") walk(node);
        else needed.add(node.id);
    };
    walk(this.#open());
    for (const id of imprints) addObjects(this.#objects, id, needed);
    this.#objects.sweep(needed);
  }

  close(): void {
    if (this.#watch instanceof TreeWatch) this.#watch.close();
    this.#watch = undefined;
    this.#unwatched = undefined;
    this.#objects.close();
  }

  /** Keeps what git has now readable, whatever a command does to it. */
  #holdGit(): void {
    const repository = repositoryOf(this.root);
    this.#repository = repository ?? this.#repository;
    if (!repository) return;
    // One that is gone is read on as far as it is held.
    this.#objects.git ??= new GitObjects([]);
    this.#objects.git.add(join(repository.common, "objects"));
    this.#objects.git.hold();
  }

  get #index(): string {
    return join(this.#options.dir, "index.json");
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
      const tree = kept.version === 3 && kept.root === this.root ? unpack(kept.tree) : undefined;
      return tree?.is === "dir" ? tree : undefined;
    } catch {
      return undefined;
    }
  }

  /** After a look that was not finished: the next one begins with what was saved. */
  #forget(): void {
    this.#tree = undefined;
    this.#isKnown = false;
    this.#unwatched = undefined;
  }

  /** Looks at what may have changed; at everything where that is not known. */
  async #see(tree: DirNode, changes: Changes | undefined): Promise<Seen> {
    this.#watch ??= (await TreeWatch.open(this.root)) ?? "none";
    const watch = this.#watch === "none" ? undefined : this.#watch;
    const options = this.#scanOptions(watch, changes);
    const number = statSync(this.root).ino;
    const isSameRoot = number === this.#rootNumber;
    this.#rootNumber = number;
    const touched = watch?.changed() ?? "lost";
    const unwatched = touched === "lost" || !isSameRoot ? undefined : this.#unwatched;
    if (touched === "lost" || !unwatched) return this.#seeAll(options, tree);
    const seen = await this.#drive(scanTouched(options, touched, this.#options.now()));
    for (const path of unwatched) {
      const node = nodeAt(tree, path);
      if (node?.is === "dir") merge(seen, await this.#drive(scan(options, node, path, this.#options.now())));
      else if (node) merge(seen, scanPath(options, tree, path, this.#options.now()));
    }
    for (const path of this.#heaps.keys()) {
      const stat = statOf(join(this.root, path));
      if (stat?.isDirectory()) this.#heaps.set(path, heapMark(stat));
      else this.#heaps.delete(path);
    }
    for (const [path, mark] of seen.heaps) this.#heaps.set(path, mark);
    this.#entries += seen.entries;
    if (this.#entries > this.#options.limits.maxEntries) return this.#seeAll(options, tree, seen);
    this.#decideDoubtful(options, tree, seen);
    if (seen.rules) this.#ignored.clear();
    this.#unwatched = seen.rules ? undefined : seen.unwatched;
    return seen;
  }

  async #seeAll(options: ScanOptions, tree: DirNode, before?: Seen): Promise<Seen> {
    const seen = await this.#drive(scan(options, tree, "", this.#options.now()));
    this.#entries = seen.entries;
    this.#heaps = seen.heaps;
    const all = before ?? seen;
    if (before) merge(all, seen);
    this.#decideDoubtful(options, tree, all);
    // Rules that changed may concern what was left out or kept before.
    if (all.rules && this.#isKnown) this.#ignored.clear();
    this.#unwatched = (all.rules && this.#isKnown) || !options.watch ? undefined : all.unwatched;
    return all;
  }

  /** Scans doubtful paths when the ignore rules say that they are not ignored. */
  #decideDoubtful(options: ScanOptions, tree: DirNode, seen: Seen): void {
    for (let doubtful = seen.doubtful; doubtful.length > 0; ) {
      this.#decide(doubtful);
      const paths = doubtful;
      doubtful = [];
      for (const path of paths) {
        // Ignored directories are generated; they are not worth a message.
        if (!this.#ignored.get(path)) {
          this.#heaps.delete(path);
          const more = scanPath(options, tree, path, this.#options.now());
          doubtful.push(...more.doubtful);
          merge(seen, more);
        } else if (!isDirectory(join(this.root, path))) seen.uncovered.push({ path, why: "ignored" });
      }
    }
  }

  #scanOptions(watch: TreeWatch | undefined, changes: Changes | undefined): ScanOptions {
    return {
      root: this.root,
      limits: this.#options.limits,
      skip: new Set(this.#options.skip),
      watch,
      changes,
      ignored: (path) => this.#ignored.get(path),
    };
  }

  /** Learns the contents that are not known: from git's index, else by reading them. */
  async #read(seen: Seen, changes: Changes | undefined): Promise<void> {
    const { unread } = seen;
    if (unread.length === 0) return;
    const tracked = unread.length > fewFiles ? this.#tracked(seen.attributes) : undefined;
    const isMany = unread.length > manyFiles;
    if (isMany) this.#objects.bundle();
    try {
      await this.#drive(this.#readEach(seen, tracked, changes));
      if (isMany) this.#objects.unbundle("kept");
    } catch (thrown) {
      if (isMany) this.#objects.unbundle("dropped");
      throw thrown;
    }
  }

  *#readEach(seen: Seen, tracked: TrackedFiles | undefined, changes: Changes | undefined): Generator<void> {
    const at = { root: this.root, now: this.#options.now() };
    // A command that removes the repository would take them with it; the packs are held open.
    const loose = tracked && this.#objects.git?.loose(mostLoose);
    for (const [n, unread] of seen.unread.entries()) {
      if ((n & 63) === 0) yield;
      const { path, node, parent, name } = unread;
      // A path that was looked at twice has another node by now.
      if (parent.children.get(name) !== node) continue;
      const id = tracked?.idOf(path, node);
      const file = id === undefined ? undefined : loose?.get(id);
      if (id !== undefined && file !== undefined) tryOr(() => this.#objects.adopt(id, file));
      if (id !== undefined && tracked?.exact) Object.assign(node, { id, by: "git", settled: true });
      else if (!readContent(at, unread, (content) => this.#keepUnless(content, id, node))) {
        changes?.put(path, node, undefined);
        parent.children.delete(name);
        seen.uncovered.push({ path, why: "unreadable" });
        continue;
      } else if (!node.settled) seen.unwatched.add(path);
      changes?.put(path, undefined, node);
    }
  }

  /** Keeps a content, unless it is the one that git has. */
  #keepUnless(content: Buffer, id: string | undefined, node: Unread["node"]): string {
    if (id === undefined || objectId({ type: "blob", body: content }) !== id) return this.#objects.put("blob", content);
    node.by = "git";
    return id;
  }

  #tracked(attributes: readonly string[]): TrackedFiles | undefined {
    const repository = this.#repository;
    return repository && TrackedFiles.open(repository, { root: this.root, env: this.#options.env, attributes });
  }

  /** Bytes of the files that would have to be copied. */
  #weightOf(unread: readonly Unread[]): number {
    const sizes = sumOf(unread, ({ node }) => node.size);
    if (sizes <= this.#options.limits.maxBytes) return sizes;
    const tracked = this.#tracked([]);
    return sumOf(unread, ({ path, node }) => (tracked?.idOf(path, node) ? 0 : node.size));
  }

  async #drive<T>(work: Generator<void, T>): Promise<T> {
    let began = performance.now();
    for (;;) {
      const step = work.next();
      if (step.done) return step.value;
      if (performance.now() - began < (this.#urgent ? 10 : 2)) continue;
      // In the background a fifth of the time goes to the scan.
      await new Promise<void>((done) => {
        this.#wake = done;
        if (this.#urgent) setImmediate(done);
        else setTimeout(done, 8);
      });
      if (this.#stopped) throw new Error("stopped");
      began = performance.now();
    }
  }

  #decide(paths: readonly string[]): void {
    const ignored = ignoredBy(this.root, paths, this.#options.env);
    // Without a repository, generated directories count as ignored, and large files as the user's own.
    const isGenerated = (path: string) => isDirectory(join(this.root, path)) && !mayBeOwn.has(basename(path));
    for (const path of paths) this.#ignored.set(path, ignored ? ignored.has(path) : isGenerated(path));
  }
}

type Seen = Scanned;

/** Numbers of files from which on git's index is read, and contents are written into one file. */
const fewFiles = 200;
const manyFiles = 1000;
/** Objects of git in files of their own that are copied; a repository with more of them was never packed. */
const mostLoose = 5000;

function merge(all: Seen, more: Seen): void {
  all.entries += more.entries;
  all.unread.push(...more.unread);
  all.rules ||= more.rules;
  all.uncovered.push(...more.uncovered);
  for (const [path, mark] of more.heaps) all.heaps.set(path, mark);
  all.doubtful.push(...more.doubtful);
  for (const path of more.unwatched) all.unwatched.add(path);
  all.attributes.push(...more.attributes);
}
