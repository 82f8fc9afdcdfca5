import { basename, dirname, join } from "node:path";
import { isInside, sleep } from "@pith/kit";
import { isGitDirectory } from "../../../git/repository.ts";
import { autorunForm, autorunInGit, ownedByPackages, plainFirst } from "../plan/autorun.ts";
import { repositoriesOf } from "../plan/repository.ts";
import { AutorunWatch } from "./autorun-watch.ts";
import { CommandTimes } from "./command-times.ts";
import type { FileCopies } from "./copies.ts";
import { find, findMs } from "./find.ts";
import { describePath, lastChange, quarantine, type Violation } from "./guard.ts";

export interface RepositoryWatchOptions {
  /** Folders that commands may write. */
  folders(): readonly string[];
  quarantine: string;
  /** True when somebody who may has written this path. */
  isAccepted(path: string): boolean;
  notify(text: string): void;
  copies: FileCopies;
}

/**
 * Knows every repository and every protected file below the folders, however deep. They are looked for by a program of
 * its own, beside the commands and after them, so that nobody waits. A repository that came about in the sandbox must
 * run nothing by itself: what would is taken back. It is looked at again for as long as something runs that was begun
 * before it was known.
 */
export class RepositoryWatch implements Disposable {
  readonly #options: RepositoryWatchOptions;
  #trees: readonly string[] = [];
  #known: ReadonlySet<string> | undefined;
  readonly #young = new Map<string, number>();
  readonly #walled = new CommandTimes();
  readonly #beside = new CommandTimes();
  readonly #autorun: AutorunWatch;
  #found: Violation[] = [];
  #running: Promise<void> | undefined;
  #again = false;
  #next = 0;
  #stop = new AbortController();

  constructor(options: RepositoryWatchOptions) {
    this.#options = options;
    this.#autorun = new AutorunWatch({ ...options, inside: this.#walled, beside: this.#beside });
  }

  /** The repositories, the nearest first. */
  get trees(): readonly string[] {
    return this.#trees;
  }

  /** The protected files and folders further down, the nearest first. */
  get autorun(): readonly string[] {
    return this.#autorun.paths;
  }

  /** A command in the sandbox begins, which cannot write some paths; tell when it is over. */
  begin(held: readonly string[]): () => void {
    const end = this.#walled.begin(held);
    return () => {
      end();
      void this.scan();
    };
  }

  /** A command outside of the sandbox begins; tell when it is over. */
  beginOutside(): () => void {
    return this.#beside.begin();
  }

  /** While something runs for long; not more often than it is worth. */
  violations(): Violation[] {
    if (performance.now() > this.#next) void this.scan();
    return this.#found.splice(0);
  }

  /** Looks at everything as it is from now on; one look at a time. */
  scan(): Promise<void> {
    if (this.#running) this.#again = true;
    this.#running ??= this.#look().finally(() => {
      this.#running = undefined;
      if (this.#again && !this.#stop.signal.aborted) void this.scan();
    });
    return this.#running;
  }

  /** Waits for the last look, at most for a while, and says what was found. */
  async settle(): Promise<Violation[]> {
    const late = sleep(findMs, this.#stop.signal);
    const done = async () => {
      while (this.#running) await this.#running;
    };
    await Promise.race([done(), late]);
    return this.#found.splice(0);
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }

  async #look(): Promise<void> {
    // Beginning a program takes a while, in which somebody may wait for what a command came to.
    await new Promise((done) => setImmediate(done));
    this.#again = false;
    if (this.#stop.signal.aborted) return;
    const began = performance.now();
    const folders = this.#options.folders();
    const found = folders.length === 0 ? { trees: [], names: [] } : await search(folders, this.#stop.signal);
    this.#next = performance.now() + Math.max(restMs, (performance.now() - began) * 20);
    if (this.#stop.signal.aborted) return;
    if (!found) {
      this.#options.notify(
        "The project is too large to find every repository in it: hooks of those far down are not protected.",
      );
      return;
    }
    const { trees, names } = found;
    if (trees.join("\0") !== this.#trees.join("\0")) this.#trees = trees;
    const { directories } = repositoriesOf(folders, trees);
    // Of what the first look finds, that is new which a command made meanwhile; it is told by its time.
    for (const dir of directories) if (!this.#known?.has(dir)) this.#young.set(dir, Date.now());
    this.#known = new Set(directories);
    const { running } = this.#walled;
    for (const [dir, since] of this.#young) {
      this.#check(dir);
      // Whoever began before it was known has no wall around it.
      if (running.every((from) => from > since)) this.#young.delete(dir);
    }
    this.#found.push(...(await this.#autorun.look(names, this.#stop.signal)));
    for (const spans of [this.#walled, this.#beside]) spans.trim();
  }

  #check(dir: string): void {
    const root = this.#options.folders().find((folder) => isInside(folder, dir));
    if (root === undefined) return;
    for (const name of autorunInGit) {
      const path = join(dir, name);
      if (describePath(path) === "" || this.#options.isAccepted(path) || !during(this.#walled, path)) continue;
      const found: Violation = during(this.#beside, path)
        ? { path, what: "left", text: "a command outside of the sandbox ran at the same time" }
        : quarantine(path, root, this.#options.quarantine);
      this.#found.push(found);
    }
  }
}

/** True where it was changed while one of these ran; without a HEAD it was no repository. */
const during = (spans: CommandTimes, path: string): boolean =>
  spans.cover(Math.max(lastChange(path), lastChange(join(dirname(path), "HEAD"))), path);

interface Found {
  /** Everything that git would take for a repository. */
  trees: string[];
  /** Files and folders that may be protected by their names. */
  names: string[];
}

/** Undefined where that takes too long. */
async function search(folders: readonly string[], signal: AbortSignal): Promise<Found | undefined> {
  const named = [".*", ...plainFirst].flatMap((name) => ["-o", "-name", name]).slice(1);
  const rows = await find(folders, [...repositories.split(" "), "-o", "(", ...named, ")", "-print0"], signal);
  if (!rows) return undefined;
  const isOwned = (path: string) => {
    const root = folders.find((folder) => isInside(folder, path)) ?? "";
    return path === root || owned.test(path.slice(root.length));
  };
  const names: string[] = [];
  const trees = rows.flatMap((path) => {
    const [name, tree] = [basename(path), dirname(path)];
    if (name.toLowerCase() === ".git") return [tree];
    if (name === "HEAD") return basename(tree) !== ".git" && isGitDirectory(tree) ? [tree] : [];
    if (!path.includes("/.git/") && !isOwned(path)) names.push(path);
    return [];
  });
  const depth = (path: string) => path.split("/").length;
  return {
    names,
    trees: [...new Set(trees)]
      .filter((tree) => !folders.includes(tree))
      .sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1)),
  };
}

const repositories = "-path */.git/objects -prune -o -iname .git -print0 -o ( -name HEAD ! -type d -print0 )";
const owned = new RegExp(`/(?:${ownedByPackages.map(autorunForm).join("|")})/`);
const restMs = 5000;
