import { type Dirent, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside, linkStat, tryOr } from "@pith/kit";
import { autorunAt } from "../plan/autorun.ts";
import type { CommandTimes } from "./command-times.ts";
import type { FileCopies, FileCopy } from "./copies.ts";
import { quarantine, type Violation } from "./guard.ts";

export interface AutorunWatchOptions {
  /** Folders that commands may write. */
  folders(): readonly string[];
  quarantine: string;
  /** True when somebody who may has written this path. */
  isAccepted(path: string): boolean;
  copies: FileCopies;
  /** Commands in the sandbox. */
  inside: CommandTimes;
  /** Commands outside of it. */
  beside: CommandTimes;
}

/**
 * Knows the protected files further down in the folders, and what is in them: what a command made of them, or changed
 * where no mount holds them, is taken back.
 */
export class AutorunWatch {
  readonly #options: AutorunWatchOptions;
  #known: ReadonlyMap<string, FileCopy> = new Map();
  #paths: readonly string[] = [];

  constructor(options: AutorunWatchOptions) {
    this.#options = options;
  }

  /** The paths that are there, the nearest first; the same object for as long as none comes or goes. */
  get paths(): readonly string[] {
    return this.#paths;
  }

  /** Looks at what is protected of these names, a few at a time, so that nobody waits. */
  async look(names: readonly string[], signal: AbortSignal): Promise<Violation[]> {
    const { there, files } = await this.#expand(names);
    const known = new Map<string, FileCopy>();
    const found: Violation[] = [];
    for (const [at, path] of files.slice(0, mostFiles).entries()) {
      if (at % slice === slice - 1) await rest();
      if (signal.aborted) return found;
      const copy = this.#check(path, found);
      if (copy) known.set(path, copy);
    }
    this.#known = known;
    const paths = there.sort((one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1));
    if (paths.join("\0") !== this.#paths.join("\0")) this.#paths = paths;
    return found;
  }

  /** Finds what of these names is protected: what mounts may hold, and the files in it. */
  async #expand(names: readonly string[]): Promise<{ there: string[]; files: string[] }> {
    const folders = this.#options.folders();
    const there: string[] = [];
    const files: string[] = [];
    for (const [at, name] of names.entries()) {
      if (at % slice === slice - 1) await rest();
      for (const path of autorunAt(name)) {
        const stat = linkStat(path);
        if (stat && !stat.isSymbolicLink() && !folders.includes(dirname(path))) there.push(path);
        if (stat) files.push(...(stat.isDirectory() ? filesIn(path) : [path]));
      }
    }
    return { there, files };
  }

  /** Takes a file back if a command changed it; returns the copy of it that may stay. */
  #check(path: string, found: Violation[]): FileCopy | undefined {
    const { folders, isAccepted, copies, inside, beside } = this.#options;
    const before = this.#known.get(path);
    const copy = copies.take(path);
    if (!copy || copy.content === before?.content || isAccepted(path)) return copy;
    const changed = linkStat(path)?.ctimeMs ?? 0;
    if (!inside.cover(changed, path)) return copy;
    if (beside.cover(changed, path)) {
      found.push({ path, what: "left", text: "a command outside of the sandbox ran at the same time" });
      return copy;
    }
    const root = folders().find((folder) => isInside(folder, path));
    const taken = quarantine(path, root, this.#options.quarantine, before);
    const text = before?.bytes ? `${taken.text}; it is as it was before` : taken.text;
    found.push(taken.what === "left" ? taken : { path, what: taken.what, text });
    return taken.what === "left" ? copy : before;
  }
}

/** The files of a folder, as many as are looked at. */
function filesIn(folder: string): string[] {
  const found: string[] = [];
  const walk = (at: string, depth: number) => {
    for (const entry of tryOr((): Dirent[] => readdirSync(at, { withFileTypes: true }), [])) {
      if (found.length >= mostInFolder) return;
      const path = join(at, entry.name);
      if (!entry.isDirectory()) found.push(path);
      else if (depth < deepest) walk(path, depth + 1);
    }
  };
  walk(folder, 0);
  return found;
}

const rest = () => new Promise((done) => setImmediate(done));
const depthOf = (path: string): number => path.split("/").length;

const slice = 100;
const deepest = 8;
const mostInFolder = 500;
const mostFiles = 5000;
