import { basename, dirname, join } from "node:path";
import { isInside, sleep } from "@pith/kit";
import { isGitDirectory } from "../../../git/repository.ts";
import { autorunInGit } from "../plan/read-only.ts";
import { repositoriesOf } from "../plan/repository.ts";
import { find, findMs } from "./find.ts";
import { describePath, lastChange, quarantine, type Violation } from "./guard.ts";

export interface RepositoryWatchOptions {
  /** Folders that commands may write. */
  folders(): readonly string[];
  quarantine: string;
  /** True when somebody who may has written this path. */
  isAccepted(path: string): boolean;
  notify(text: string): void;
}

/** Begun is counted in `Date.now()`; over is absent while it lasts. */
interface Span {
  from: number;
  to?: number;
}

/**
 * Knows every repository below the folders, however deep. They are looked for by a program of its own, beside the
 * commands and after them, so that nobody waits. One that came about in the sandbox must run nothing by itself: what
 * would is taken back. It is looked at again for as long as something runs that was begun before it was known.
 */
export class RepositoryWatch implements Disposable {
  readonly #options: RepositoryWatchOptions;
  #trees: readonly string[] = [];
  #known: ReadonlySet<string> | undefined;
  readonly #young = new Map<string, number>();
  readonly #walled = new Set<Span>();
  readonly #beside = new Set<Span>();
  #found: Violation[] = [];
  #running: Promise<void> | undefined;
  #again = false;
  #next = 0;
  #stop = new AbortController();

  constructor(options: RepositoryWatchOptions) {
    this.#options = options;
  }

  /** The repositories, the nearest first. */
  get trees(): readonly string[] {
    return this.#trees;
  }

  /** A command begins; tell when it is over. */
  begin(side: "inside" | "outside"): () => void {
    const spans = side === "inside" ? this.#walled : this.#beside;
    const span: Span = { from: Date.now() };
    spans.add(span);
    return () => {
      span.to = Date.now();
      if (side === "inside") void this.scan();
    };
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
    const found = folders.length === 0 ? [] : await search(folders, this.#stop.signal);
    this.#next = performance.now() + Math.max(restMs, (performance.now() - began) * 20);
    if (this.#stop.signal.aborted) return;
    if (!found) {
      this.#options.notify(
        "The project is too large to find every repository in it: hooks of those far down are not protected.",
      );
      return;
    }
    if (found.join("\0") !== this.#trees.join("\0")) this.#trees = found;
    const { directories } = repositoriesOf(folders, found);
    // Of what the first look finds, that is new which a command made meanwhile; it is told by its time.
    for (const dir of directories) if (!this.#known?.has(dir)) this.#young.set(dir, Date.now());
    this.#known = new Set(directories);
    const running = [...this.#walled].filter(({ to }) => to === undefined).map(({ from }) => from);
    for (const [dir, since] of this.#young) {
      this.#check(dir);
      // Whoever began before it was known has no wall around it.
      if (running.every((from) => from > since)) this.#young.delete(dir);
    }
    for (const spans of [this.#walled, this.#beside]) forgetOldest(spans);
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

/** Oldest change that is still looked at. */
function forgetOldest(spans: Set<Span>): void {
  for (const span of spans) {
    if (spans.size <= mostSpans) return;
    if (span.to !== undefined) spans.delete(span);
  }
}

/** The clock of a file system ticks a little slower than ours. */
const during = (spans: Iterable<Span>, path: string): boolean => {
  // Without a HEAD it was no repository.
  const changed = Math.max(lastChange(path), lastChange(join(dirname(path), "HEAD")));
  for (const { from, to = Number.POSITIVE_INFINITY } of spans)
    if (changed >= from - tickMs && changed <= to + tickMs) return true;
  return false;
};

/** Everything that git would take for a repository. Undefined where that takes too long. */
async function search(folders: readonly string[], signal: AbortSignal): Promise<string[] | undefined> {
  const wanted = ["(", "-iname", ".git", "-print0", "-prune", ")", "-o", "(", "-name", "HEAD", "!", "-type", "d"];
  const rows = await find(folders, [...wanted, "-print0", ")"], signal);
  if (!rows) return undefined;
  const trees = rows.flatMap((path) => {
    const tree = dirname(path);
    return basename(path) !== "HEAD" || isGitDirectory(tree) ? [tree] : [];
  });
  const depth = (path: string) => path.split("/").length;
  return [...new Set(trees)]
    .filter((tree) => !folders.includes(tree))
    .sort((one, other) => depth(one) - depth(other) || (one < other ? -1 : 1));
}

const restMs = 5000;
const tickMs = 20;
const mostSpans = 2000;
