import { archiveEnding, databaseEnding, isDatabase } from "@pith/host";
import { type Place, resolvePath, statOf } from "../files/path.ts";

/** A file with something inside that has a name of its own. */
export interface Inside {
  /** Absolute path of the file. */
  path: string;
  /** As it was given. */
  given: string;
  /** What stands behind the colon or question mark, the mark included; empty for the file itself. */
  rest: string;
}

/**
 * `archive.zip:inner/path`: the shortest beginning that is an archive on the disk. With `make`, one that is not there
 * yet may be meant.
 */
export function archiveIn(place: Place, given: string, make?: "make"): Inside | undefined {
  return inside(place, given, { ending: archiveEnding, marks: ":", holds: isFile, ...(make && { make }) });
}

/** `data.db:table`: the same for databases; a file with such a name that is none is a plain file. */
export function databaseIn(place: Place, given: string): Inside | undefined {
  return inside(place, given, { ending: databaseEnding, marks: ":?", holds: isDatabase });
}

/** A path that would be inside of a database if there was one. */
export function absentDatabaseIn(place: Place, given: string): Inside | undefined {
  return inside(place, given, { ending: databaseEnding, marks: ":?", holds: (path) => statOf(path) === undefined });
}

interface Kind {
  ending: RegExp;
  marks: string;
  holds(path: string): boolean;
  make?: "make";
}

function inside(place: Place, given: string, { ending, marks, holds, make }: Kind): Inside | undefined {
  let longest: Inside | undefined;
  for (let at = 0; at <= given.length; at++) {
    if (at < given.length && !marks.includes(given.charAt(at))) continue;
    const name = given.slice(0, at);
    if (!ending.test(name)) continue;
    const found = { path: resolvePath(place, name), given: name, rest: given.slice(at) };
    if (holds(found.path)) return found;
    longest = statOf(found.path) ? longest : found;
  }
  return make && longest?.rest.startsWith(":") ? longest : undefined;
}

const isFile = (path: string): boolean => statOf(path)?.isFile() === true;

/** `.` and empty parts dropped; a name never climbs. */
export function memberName(inner: string): string | undefined {
  const parts = inner.split("/").filter((part) => part !== "" && part !== ".");
  return parts.includes("..") ? undefined : parts.join("/");
}
