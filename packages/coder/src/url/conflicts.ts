import { basename, dirname, isAbsolute, join } from "node:path";
import { isUnlinked, parseJson, readPlain, tryOr, writeWhole } from "@pith/kit";
import type { Region } from "./marker.ts";

export interface Conflict {
  id: number;
  /** Absolute. */
  path: string;
  region: Region;
}

/** Name of the file beside a session; it is no output of an agent. */
export const conflictsFile = "conflicts.json";

/** The conflict regions that were shown, by number. Kept beside the session, so that a number outlives a resume. */
export class Conflicts {
  readonly #dir: () => string | undefined;
  #known: Conflict[] | undefined;

  /** `dir` returns the directory beside the session's record. */
  constructor(dir: () => string | undefined = () => undefined) {
    this.#dir = dir;
  }

  /** Numbers regions that are shown. A region that was shown before keeps its number. */
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

  /** Reads the file. What is no conflict is left out, because a session may come from a stranger. */
  #load(): Conflict[] {
    const file = this.#file();
    const read = file === undefined ? undefined : readPlain(file, { maxBytes });
    const kept = read?.ok ? parseJson(read.value) : [];
    return Array.isArray(kept) ? kept.filter(isConflict) : [];
  }

  /** Returns the file; undefined if it is a link, which a stranger may have made. */
  #file(): string | undefined {
    const dir = this.#dir();
    const unlinked = dir !== undefined && isUnlinked(dirname(dir), join(basename(dir), conflictsFile));
    return unlinked ? join(dir, conflictsFile) : undefined;
  }

  /** Writes the file. When that fails, the numbers end with the process. */
  #save(): void {
    const file = this.#file();
    if (file && this.#known?.length !== 0) tryOr(() => writeWhole(file, JSON.stringify(this.#known)));
  }
}

const maxBytes = 64 * 1024 * 1024;

function isConflict(kept: Partial<Conflict> | null): kept is Conflict {
  const { id, path, region } = kept ?? {};
  const sides = [region, region?.ours, region?.theirs, region?.base ?? region?.ours];
  return Number.isInteger(id) && isText(path) && isAbsolute(path) && sides.every((side) => isText(side?.text));
}

const isText = (value: unknown): value is string => typeof value === "string";
