import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fail, isInside, ok, type Result, realPath } from "@pith/kit";
import { find } from "../guard/find.ts";

/** Paths that somebody's rules close to every command. */
export interface ClosingRules {
  /** Folders in which they are searched. */
  folders: readonly string[];
  closes(path: string): boolean;
}

export interface ClosedPath {
  path: string;
  kind: "folder" | "file";
}

/** Finds what rules close, before every command: no mount holds what comes about later, and no rule names all of it. */
export class ClosedPaths {
  readonly #rulings: ClosingRules;
  #found: readonly ClosedPath[] = [];
  #print = "";

  constructor(rulings: ClosingRules) {
    this.#rulings = rulings;
  }

  /** The same object for as long as nothing has changed. */
  get paths(): readonly ClosedPath[] {
    return this.#found;
  }

  async refresh(signal: AbortSignal): Promise<Result<void, "sandbox">> {
    const { folders: places, closes } = this.#rulings;
    const ways = places.flatMap((named) => (existsSync(named) ? [{ named, real: realPath(named) }] : []));
    const listed = await list([...new Set(ways.map(({ real }) => real))], signal);
    if (!listed) return fail("sandbox", "what rules close in the project could not be found in time");
    // A rule may name it by a way through links.
    const names = (path: string) =>
      ways.flatMap(({ named, real }) => (isInside(real, path) ? [named + path.slice(real.length)] : []));
    const found = outermost(listed, (path) => closes(path) || names(path).some(closes));
    if (found.length > mostShut)
      return fail("sandbox", `rules close more than ${mostShut} files, which is more than can be hidden one by one`);
    const print = JSON.stringify(found);
    if (print !== this.#print) [this.#print, this.#found] = [print, found];
    return ok(undefined);
  }
}

/** Folders of which all is closed, and the files of the others. */
function outermost(listed: readonly ClosedPath[], closes: (path: string) => boolean): ClosedPath[] {
  const open = new Set<string>();
  const closed: ClosedPath[] = [];
  for (const one of listed) {
    if (closes(one.path)) closed.push(one);
    // What holds something that is open cannot be hidden as a whole.
    else for (let at = one.path; !open.has(at); at = dirname(at)) open.add(at);
  }
  const whole = closed.filter(({ path, kind }) => kind === "file" || !open.has(path));
  const folders = whole.flatMap(({ path, kind }) => (kind === "folder" ? [path] : []));
  return whole.filter(({ path }) => !folders.some((folder) => folder !== path && isInside(folder, path)));
}

/** Everything below, without what git keeps. Links are not followed and lead to what is listed itself, or outside. */
async function list(places: readonly string[], signal: AbortSignal): Promise<ClosedPath[] | undefined> {
  const wanted = ["(", "-name", ".git", "-prune", "-o", "(", "-type", "d", "-o", "-type", "f", ")", "-printf"];
  const rows = await find(places, [...wanted, "%y%p\\0", ")"], signal);
  return rows?.map((row) => ({ path: row.slice(1), kind: row[0] === "d" ? "folder" : "file" }));
}

const mostShut = 1000;
