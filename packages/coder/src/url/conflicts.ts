import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
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
    const shown = regions.map((region) => {
      const isIt = (other: Conflict) => other.path === path && other.region.text === region.text;
      const old = known.find((other) => isIt(other) && !taken.has(other));
      const conflict = old ?? { id: known.length + 1, path, region };
      if (old) old.region = region;
      else known.push(conflict);
      taken.add(conflict);
      return conflict;
    });
    this.#save();
    return shown;
  }

  find(id: string): Conflict | undefined {
    return this.all().find((conflict) => String(conflict.id) === id);
  }

  all(): Conflict[] {
    this.#known ??= this.#load();
    return this.#known;
  }

  /** A session may come from a stranger: what is no conflict is left out. */
  #load(): Conflict[] {
    try {
      const kept: unknown = this.#file ? JSON.parse(readFileSync(this.#file, "utf8")) : [];
      return Array.isArray(kept) ? kept.filter(isConflict) : [];
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

function isConflict(kept: Partial<Conflict> | null): kept is Conflict {
  const { id, path, region } = kept ?? {};
  const sides = [region, region?.ours, region?.theirs, region?.base ?? region?.ours];
  return Number.isInteger(id) && isText(path) && isAbsolute(path) && sides.every((side) => isText(side?.text));
}

const isText = (value: unknown): value is string => typeof value === "string";
