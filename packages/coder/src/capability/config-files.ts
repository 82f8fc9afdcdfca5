import { type Dirent, readdirSync, realpathSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { fail, isInside, ok, type Result, readPlain, realPath } from "@pith/kit";
import { ownersFor } from "../setting/repository.ts";
import type { Candidate, Find, Level, Reader, Spot } from "./item.ts";
import type { Kind } from "./kind/kind.ts";
import { dataOf, formatOf } from "./parse.ts";
import type { Shelf } from "./shelf.ts";
import { type Known, listed, owned, type Question, stamped, statOf, there, Witness } from "./witness.ts";

export interface Place {
  cwd: string;
  /** The root of the repository; the directory itself outside of any. */
  root: string;
  /** The directory of pith's own files. */
  home: string;
  userHome: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Longer files are nobody's configuration. */
const maxBytes = 1024 * 1024;
/** More entries of a folder than anybody keeps by hand are not looked at. */
const maxEntries = 2000;

interface Kept {
  stamp: string;
  text: Result<string, "unfit">;
  read: Map<Reader<never>, readonly Candidate<Kind>[]>;
}

/** Looks for files where sources say that they are. What was read is read again only when it changed. */
export class Look {
  readonly place: Place;
  /** From the directory up to the root of the repository; a home directory is no project. */
  readonly ways: readonly string[];
  #isOurs: (folder: string, uid: number) => boolean;
  /** Whose the directory is, and who may write to it: that decides whom files are believed from. */
  #owned: string;
  readonly #kept: Map<string, Kept>;
  readonly #folders = new Map<string, boolean>();
  #witness: Witness | undefined;
  /** What is wrong with folders, by folder. */
  readonly odd = new Map<string, string>();

  /** What earlier starts read. */
  readonly shelf: Shelf | undefined;

  constructor(place: Place, shelf?: Shelf, ways = waysOf(place), kept = new Map<string, Kept>()) {
    this.place = place;
    this.shelf = shelf;
    this.ways = ways;
    this.#kept = kept;
    this.#owned = owned(statOf(place.cwd));
    this.#isOurs = ownersFor(place.cwd);
  }

  /** Looks in one folder of the project alone. */
  only(folder: string): Look {
    return new Look(this.place, this.shelf, [folder], this.#kept);
  }

  /** What is made of what is found, and whether it would still be made so. */
  witnessed<T>(make: () => T): { made: T; holds(): boolean } {
    const witness = new Witness();
    this.#folders.clear();
    this.#knowOwners();
    this.#witness = witness;
    try {
      return { made: make(), holds: () => witness.holds() };
    } finally {
      this.#witness = undefined;
    }
  }

  #knowOwners(): void {
    const now = owned(statOf(this.place.cwd));
    if (now === this.#owned) return;
    this.#owned = now;
    this.#isOurs = ownersFor(this.place.cwd);
    this.#kept.clear();
  }

  /** Something else on the disk that counts for what is made; to be said before it is looked at. */
  note(ask: Question, path: string): void {
    this.#witness?.note(ask, path, statOf(path));
  }

  #asked(ask: Question, path: string): Known {
    const known = statOf(path);
    this.#witness?.note(ask, path, known);
    return known;
  }

  isDirectory = (path: string): boolean => this.#stat(path)?.isDirectory() === true;

  /** The nearest folder of the project that has this. */
  nearest(...names: string[]): Spot[] {
    return this.everywhere(...names).slice(0, 1);
  }

  /** Every folder of the project that has this, the nearest first. */
  everywhere(...names: string[]): Spot[] {
    return this.ways.flatMap((folder) => {
      const path = join(folder, ...names);
      return this.#has(names.length > 1 ? join(folder, names[0] ?? "") : folder, path)
        ? [{ path, level: "project" as const, folder, within: this.place.root }]
        : [];
    });
  }

  /** A place of the user's. */
  user(...names: string[]): Spot[] {
    const path = join(...names);
    return this.#has(names.length > 1 ? join(...names.slice(0, names.length > 2 ? 2 : 1)) : path, path)
      ? [{ path, level: "user", folder: this.place.userHome }]
      : [];
  }

  /** Below the home directory of the user. */
  athome(...names: string[]): Spot[] {
    return this.user(this.place.userHome, ...names);
  }

  /**
   * Whether it is there. Most people have the folders of few programs: whether a folder is there at all is looked at
   * once, until whoever asks waits for something.
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
    return known === "a circle" ? undefined : known;
  }

  /** A file of a folder that was found. */
  below(folder: Spot, ...names: string[]): Spot[] {
    const path = join(folder.path, ...names);
    return this.#exists(path) ? [{ ...folder, path }] : [];
  }

  /** The files of folders, sorted, by how their names end; `depth` folders deep. No link leads out. */
  files(folders: readonly Spot[], ending: RegExp, depth = 0): Spot[] {
    return folders
      .map((folder) => this.#held(folder))
      .flatMap((folder) => this.#list({ ...folder, base: folder.path }, ending, depth, new Set()));
  }

  isFile(at: Spot): boolean {
    return this.#stat(at.path)?.isFile() === true;
  }

  /** The folders in folders. */
  folders(folders: readonly Spot[]): Spot[] {
    return folders
      .map((folder) => this.#held(folder))
      .flatMap((folder) =>
        this.#entries(folder)
          .filter((entry) => !entry.name.startsWith(".") && this.#isFolder(join(folder.path, entry.name), entry))
          .map((entry) => ({ ...folder, path: join(folder.path, entry.name) })),
      );
  }

  /** What a file holds, by a reader; undefined when there is none. */
  read<K extends Kind>({
    at,
    read,
  }: Find<K>): { id: string; found: Result<readonly Candidate<K>[], "unfit"> } | undefined {
    const stat = this.#asked(stamped, at.path);
    if (stat === "a circle") return { id: at.path, found: fail("unfit", "is a link that leads to itself") };
    if (!stat) return undefined;
    const id = `${stat.dev}:${stat.ino}`;
    const kept = this.#kept.get(at.path);
    const known = kept?.stamp === stampOf(stat) ? kept.read.get(read as Reader<never>) : this.#shelved(at, stat, read);
    if (known) return { id, found: ok(known as readonly Candidate<K>[]) };
    const fresh = this.#keep(at, stat);
    if (!fresh.text.ok) return { id, found: fresh.text };
    const candidates = read(fresh.text.value, at);
    fresh.read.set(read as Reader<never>, candidates as readonly Candidate<Kind>[]);
    this.shelf?.set(at.path, shelfStamp(at, stat), read as Reader<never>, candidates as readonly Candidate<Kind>[]);
    return { id, found: ok(candidates) };
  }

  /** As an earlier start read it, if the file is the same and still one that may be read. */
  #shelved<K extends Kind>(at: Spot, stat: Stats, read: Reader<K>): readonly Candidate<Kind>[] | undefined {
    if (at.level === "project" && !this.#isOurs(at.folder, stat.uid)) return undefined;
    return this.shelf?.get(at.path, shelfStamp(at, stat), read as Reader<never>);
  }

  /** The text of a file; of one that is no plain text, why. */
  text(at: Spot): Result<string, "unfit"> {
    const stat = this.#stat(at.path);
    return stat ? this.#keep(at, stat).text : fail("unfit", "is not there");
  }

  /** The fields of a file of data; none where it is broken, which whoever reads it tells. */
  fields(at: Spot): Readonly<Record<string, unknown>> {
    const text = this.text(at);
    const data = text.ok ? dataOf(text.value, formatOf(at.path)) : undefined;
    return data?.ok ? data.value : {};
  }

  #keep(at: Spot, stat: Stats): Kept {
    const stamp = stampOf(stat);
    const kept = this.#kept.get(at.path);
    if (kept?.stamp === stamp) return kept;
    const fresh: Kept = { stamp, text: this.#open(at), read: new Map() };
    this.#kept.set(at.path, fresh);
    return fresh;
  }

  #open({ path, within, folder, level }: Spot): Result<string, "unfit"> {
    const owner = level === "project" ? (uid: number) => this.#isOurs(folder, uid) : undefined;
    const read = readPlain(path, { maxBytes, ...(within !== undefined && { within }), ...(owner && { owner }) });
    if (!read.ok) return fail("unfit", read.message);
    return read.value.includes("\0") ? fail("unfit", "is not text") : ok(read.value);
  }

  /**
   * A folder of the user's may be a link to another place at home, but to none elsewhere: much of what it holds is read
   * by its name and without a question. Whoever keeps skills elsewhere names that place (`skills.folders`).
   */
  #held(folder: Spot): Spot {
    if (folder.within !== undefined) return folder;
    const { userHome, home } = this.place;
    return { ...folder, within: [userHome, home].find((top) => isInside(top, folder.path)) ?? folder.path };
  }

  #list(folder: Spot, ending: RegExp, depth: number, seen: Set<string>): Spot[] {
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
    return stat === "a circle" || stat?.isDirectory() === true;
  }

  #entries({ path, within }: Spot, seen = new Set<string>()): Dirent[] {
    this.note(listed, path);
    try {
      if (within !== undefined && !isInside(realPath(within), realPath(path))) {
        this.odd.set(path, `leads out of ${within}`);
        return [];
      }
      const real = realpathSync(path);
      if (seen.has(real)) return [];
      seen.add(real);
      const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
      if (entries.length > maxEntries)
        this.odd.set(path, `has more than ${maxEntries} entries; the rest is not looked at`);
      else this.odd.delete(path);
      return entries.slice(0, maxEntries);
    } catch {
      // It is no folder, or nobody may look into it.
      return [];
    }
  }
}

/** A file may be given to somebody else, or keep its size and time while its words change. */
const stampOf = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): string => `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`;

/** With where it had to stand: another start may be stricter. */
const shelfStamp = ({ within = "", base = "" }: Spot, stat: Stats): string => `${stampOf(stat)}:${within}:${base}`;

/** The same reader for many places. */
export const each = <K extends Kind>(spots: readonly Spot[], read: Reader<K>): Find<K>[] =>
  spots.map((at) => ({ at, read }));

/** The project's before the user's. */
export const byLevel = (level: Level): number => (level === "project" ? 0 : 1);

function waysOf({ cwd, root, userHome }: Place): readonly string[] {
  const all = [cwd];
  for (let at = cwd; at !== root && dirname(at) !== at; all.push(at)) at = dirname(at);
  return all.filter((folder) => folder !== userHome);
}
