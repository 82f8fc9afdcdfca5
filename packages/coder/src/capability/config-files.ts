import { type Dirent, readdirSync, realpathSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { defined, fail, isInside, ok, type Result, readPlain, realPath } from "@pith/kit";
import { ownersFor } from "../setting/repository.ts";
import type { CapabilityCache } from "./cache.ts";
import {
  Dependencies,
  listed,
  owned,
  type StatQuestion,
  type StatResult,
  stamped,
  statOf,
  there,
} from "./dependencies.ts";
import type { Candidate, ConfigPath, Find, Level, Reader } from "./item.ts";
import type { CapabilityKind } from "./kind/kind.ts";
import { dataOf, formatOf } from "./parse.ts";

/** Directories and environment that configuration is searched by. */
export interface SearchRoots {
  cwd: string;
  /** The root of the repository; the directory itself outside of any. */
  root: string;
  /** The directory of pith's own files. */
  home: string;
  userHome: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Longer files are not read. */
const maxBytes = 1024 * 1024;
/** Further entries of a folder are not looked at. */
const maxEntries = 2000;

interface CachedFile {
  stamp: string;
  text: Result<string, "unfit">;
  read: Map<Reader<never>, readonly Candidate<CapabilityKind>[]>;
}

/** Finds and reads files of configuration. A file is read again only when it has changed. */
export class ConfigFiles {
  readonly place: SearchRoots;
  /** Folders from the directory up to the root of the repository, without the user's home directory. */
  readonly projectFolders: readonly string[];
  #isOurs: (folder: string, uid: number) => boolean;
  /** Owner and rights of the directory, which decide whose files are believed. */
  #owned: string;
  readonly #kept: Map<string, CachedFile>;
  readonly #folders = new Map<string, boolean>();
  #dependencies: Dependencies | undefined;
  /** Warnings about folders, by folder. */
  readonly warnings = new Map<string, string>();
  /** Files as earlier starts read them. */
  readonly cache: CapabilityCache | undefined;

  constructor(
    place: SearchRoots,
    cache?: CapabilityCache,
    folders = foldersUpTo(place),
    kept = new Map<string, CachedFile>(),
  ) {
    this.place = place;
    this.cache = cache;
    this.projectFolders = folders;
    this.#kept = kept;
    this.#owned = owned(statOf(place.cwd));
    this.#isOurs = ownersFor(place.cwd);
  }

  /** Searches in one folder of the project only. */
  within(folder: string): ConfigFiles {
    return new ConfigFiles(this.place, this.cache, [folder], this.#kept);
  }

  /** Makes something of files that are found. `isCurrent` tells whether the same would be made now. */
  track<T>(make: () => T): { made: T; isCurrent(): boolean } {
    const dependencies = new Dependencies();
    this.#folders.clear();
    this.#knowOwners();
    this.#dependencies = dependencies;
    try {
      return { made: make(), isCurrent: () => dependencies.areCurrent() };
    } finally {
      this.#dependencies = undefined;
    }
  }

  #knowOwners(): void {
    const now = owned(statOf(this.place.cwd));
    if (now === this.#owned) return;
    this.#owned = now;
    this.#isOurs = ownersFor(this.place.cwd);
    this.#kept.clear();
  }

  /** Adds a path that `track` depends on. Call it before the path is read. */
  dependOn(ask: StatQuestion, path: string): void {
    this.#dependencies?.add(ask, path, statOf(path));
  }

  #asked(ask: StatQuestion, path: string): StatResult {
    const known = statOf(path);
    this.#dependencies?.add(ask, path, known);
    return known;
  }

  isDirectory = (path: string): boolean => this.#stat(path)?.isDirectory() === true;

  /** Returns the nearest folder of the project that has this. */
  nearest(...names: string[]): ConfigPath[] {
    return this.everywhere(...names).slice(0, 1);
  }

  /** Returns every folder of the project that has this, the nearest first. */
  everywhere(...names: string[]): ConfigPath[] {
    return this.projectFolders.flatMap((folder) => {
      const path = join(folder, ...names);
      return this.#has(names.length > 1 ? join(folder, names[0] ?? "") : folder, path)
        ? [{ path, level: "project" as const, folder, within: this.place.root }]
        : [];
    });
  }

  /** Returns a place of the user's, when it is there. */
  user(...names: string[]): ConfigPath[] {
    const path = join(...names);
    return this.#has(names.length > 1 ? join(...names.slice(0, names.length > 2 ? 2 : 1)) : path, path)
      ? [{ path, level: "user", folder: this.place.userHome }]
      : [];
  }

  /** Returns a place below the home directory of the user, when it is there. */
  inHome(...names: string[]): ConfigPath[] {
    return this.user(this.place.userHome, ...names);
  }

  /**
   * Tells whether a path is there. Most users have the folders of few products, so whether a folder is there at all is
   * remembered until the caller waits for something.
   */
  #has(folder: string, path: string): boolean {
    let known = this.#folders.get(folder);
    if (known === undefined) {
      if (this.#folders.size === 0) queueMicrotask(() => this.#folders.clear());
      known = this.#exists(folder);
      this.#folders.set(folder, known);
    }
    return known && this.#exists(path);
  }

  #exists(path: string): boolean {
    return this.#asked(there, path) !== undefined;
  }

  #stat(path: string): Stats | undefined {
    const known = this.#asked(stamped, path);
    return known === "a loop" ? undefined : known;
  }

  /** Returns a file of a folder that was found, when it is there. */
  below(folder: ConfigPath, ...names: string[]): ConfigPath[] {
    const path = join(folder.path, ...names);
    return this.#exists(path) ? [{ ...folder, path }] : [];
  }

  /** Lists the files of folders, sorted, by the end of their names, `depth` folders deep. No link leads out. */
  list(folders: readonly ConfigPath[], ending: RegExp, depth = 0): ConfigPath[] {
    return folders
      .map((folder) => this.#limited(folder))
      .flatMap((folder) => this.#list({ ...folder, base: folder.path }, ending, depth, new Set()));
  }

  isFile(at: ConfigPath): boolean {
    return this.#stat(at.path)?.isFile() === true;
  }

  /** Lists the folders in folders. */
  listFolders(folders: readonly ConfigPath[]): ConfigPath[] {
    return folders
      .map((folder) => this.#limited(folder))
      .flatMap((folder) =>
        this.#entries(folder)
          .filter((entry) => !entry.name.startsWith(".") && this.#isFolder(join(folder.path, entry.name), entry))
          .map((entry) => ({ ...folder, path: join(folder.path, entry.name) })),
      );
  }

  /** Reads a file by its reader; undefined when there is none. */
  read<K extends CapabilityKind>({
    at,
    read,
  }: Find<K>): { id: string; found: Result<readonly Candidate<K>[], "unfit"> } | undefined {
    const stat = this.#asked(stamped, at.path);
    if (stat === "a loop") return { id: at.path, found: fail("unfit", "is a link that leads to itself") };
    if (!stat) return undefined;
    const id = `${stat.dev}:${stat.ino}`;
    const kept = this.#kept.get(at.path);
    const known = kept?.stamp === stampOf(stat) ? kept.read.get(read as Reader<never>) : this.#cached(at, stat, read);
    if (known) return { id, found: ok(known as readonly Candidate<K>[]) };
    const fresh = this.#keep(at, stat);
    if (!fresh.text.ok) return { id, found: fresh.text };
    const candidates = read(fresh.text.value, at);
    fresh.read.set(read as Reader<never>, candidates as readonly Candidate<CapabilityKind>[]);
    this.cache?.set(
      at.path,
      cacheStamp(at, stat),
      read as Reader<never>,
      candidates as readonly Candidate<CapabilityKind>[],
    );
    return { id, found: ok(candidates) };
  }

  /** Returns a file as an earlier start read it, if it is the same and may still be read. */
  #cached<K extends CapabilityKind>(
    at: ConfigPath,
    stat: Stats,
    read: Reader<K>,
  ): readonly Candidate<CapabilityKind>[] | undefined {
    if (at.level === "project" && !this.#isOurs(at.folder, stat.uid)) return undefined;
    return this.cache?.get(at.path, cacheStamp(at, stat), read as Reader<never>);
  }

  /** Returns the text of a file, or why it is no plain text. */
  text(at: ConfigPath): Result<string, "unfit"> {
    const stat = this.#stat(at.path);
    return stat ? this.#keep(at, stat).text : fail("unfit", "is not there");
  }

  /** Returns the fields of a file of data; none when it is broken, which its reader reports. */
  fields(at: ConfigPath): Readonly<Record<string, unknown>> {
    const text = this.text(at);
    const data = text.ok ? dataOf(text.value, formatOf(at.path)) : undefined;
    return data?.ok ? data.value : {};
  }

  #keep(at: ConfigPath, stat: Stats): CachedFile {
    const stamp = stampOf(stat);
    const kept = this.#kept.get(at.path);
    if (kept?.stamp === stamp) return kept;
    const fresh: CachedFile = { stamp, text: this.#open(at), read: new Map() };
    this.#kept.set(at.path, fresh);
    return fresh;
  }

  #open({ path, within, folder, level }: ConfigPath): Result<string, "unfit"> {
    const owner = level === "project" ? (uid: number) => this.#isOurs(folder, uid) : undefined;
    const read = readPlain(path, defined({ maxBytes, within, owner }));
    if (!read.ok) return fail("unfit", read.message);
    return read.value.includes("\0") ? fail("unfit", "is not text") : ok(read.value);
  }

  /**
   * Limits where a folder of the user's may lead: another place at home, nowhere else, because its files are read
   * without a question. Skills that are kept elsewhere are named in `skills.folders`.
   */
  #limited(folder: ConfigPath): ConfigPath {
    if (folder.within !== undefined) return folder;
    const { userHome, home } = this.place;
    return { ...folder, within: [userHome, home].find((top) => isInside(top, folder.path)) ?? folder.path };
  }

  #list(folder: ConfigPath, ending: RegExp, depth: number, seen: Set<string>): ConfigPath[] {
    return this.#entries(folder, seen).flatMap((entry) => {
      if (entry.name.startsWith(".") || entry.name === "node_modules") return [];
      const at = { ...folder, path: join(folder.path, entry.name) };
      if (this.#isFolder(at.path, entry)) return depth > 0 ? this.#list(at, ending, depth - 1, seen) : [];
      return ending.test(entry.name) ? [at] : [];
    });
  }

  #isFolder(path: string, entry: Dirent): boolean {
    if (!entry.isSymbolicLink()) return entry.isDirectory();
    const stat = this.#asked(stamped, path);
    return stat === "a loop" || stat?.isDirectory() === true;
  }

  #entries({ path, within }: ConfigPath, seen = new Set<string>()): Dirent[] {
    this.dependOn(listed, path);
    try {
      if (within !== undefined && !isInside(realPath(within), realPath(path))) {
        this.warnings.set(path, `leads out of ${within}`);
        return [];
      }
      const real = realpathSync(path);
      if (seen.has(real)) return [];
      seen.add(real);
      const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
      if (entries.length > maxEntries)
        this.warnings.set(path, `has more than ${maxEntries} entries; the rest is not looked at`);
      else this.warnings.delete(path);
      return entries.slice(0, maxEntries);
    } catch {
      // No folder, or not readable.
      return [];
    }
  }
}

/** Identifies a state of a file, also when its owner changes, or its text under the same size and time. */
const stampOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string => `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;

/** Adds where the file had to be, because another start may be stricter. */
const cacheStamp = ({ within = "", base = "" }: ConfigPath, stat: Stats): string =>
  `${stampOf(stat)}:${within}:${base}`;

/** Pairs many places with one reader. */
export const each = <K extends CapabilityKind>(paths: readonly ConfigPath[], read: Reader<K>): Find<K>[] =>
  paths.map((at) => ({ at, read }));

/** Sorts the project's before the user's. */
export const byLevel = (level: Level): number => (level === "project" ? 0 : 1);

function foldersUpTo({ cwd, root, userHome }: SearchRoots): readonly string[] {
  const all = [cwd];
  for (let at = cwd; at !== root && dirname(at) !== at; all.push(at)) at = dirname(at);
  return all.filter((folder) => folder !== userHome);
}
