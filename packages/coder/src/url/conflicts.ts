import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Region } from "./marker.ts";

export interface Conflict {
  id: number;
  /** Absolute. */
  path: string;
  region: Region;
}

/**
 * The conflict regions that were shown, by the number each was given; kept beside the session, so a number outlives a
 * resume.
 */
export class Conflicts {
  readonly #file: string | undefined;
  #known: Conflict[] | undefined;

  /** `dir` is the directory beside the session's record. */
  constructor(dir: string | undefined) {
    this.#file = dir && join(dir, "conflicts.json");
  }

  /** A region that was shown before keeps its number. */
  record(path: string, regions: readonly Region[]): Conflict[] {
    const known = this.all();
    const taken = new Set<Conflict>();
    const found = regions.map((region) => {
      const old = known.find((one) => one.path === path && one.region.text === region.text && !taken.has(one));
      const conflict = old ?? { id: known.length + 1, path, region };
      if (old) old.region = region;
      else known.push(conflict);
      taken.add(conflict);
      return conflict;
    });
    this.#save();
    return found;
  }

  find(id: string): Conflict | undefined {
    return this.all().find((conflict) => String(conflict.id) === id);
  }

  /** The files that a write to `conflict://3` or `conflict://*` changes. */
  pathsOf(href: string): string[] {
    const id = href.replace(/^conflict:\/\//i, "");
    return [
      ...new Set(this.all().flatMap((conflict) => (id === "*" || String(conflict.id) === id ? [conflict.path] : []))),
    ];
  }

  all(): Conflict[] {
    this.#known ??= this.#load();
    return this.#known;
  }

  #load(): Conflict[] {
    try {
      return this.#file ? (JSON.parse(readFileSync(this.#file, "utf8")) as Conflict[]) : [];
    } catch {
      return [];
    }
  }

  /** What cannot be kept is only forgotten at the end of the process. */
  #save(): void {
    if (!this.#file || this.#known?.length === 0) return;
    try {
      mkdirSync(join(this.#file, ".."), { recursive: true, mode: 0o700 });
      writeFileSync(this.#file, JSON.stringify(this.#known), { mode: 0o600 });
    } catch {}
  }
}
