import { archiveEnding, databaseEnding } from "@pith/host";
import { realPath } from "@pith/kit";
import type { Files } from "../files/files.ts";

/** A file with something inside that has a name of its own. */
export interface Inside {
  /** Absolute path of the file. */
  path: string;
  /** The same as it was given. */
  name: string;
  /** The rest from the colon or question mark on; empty for the file itself. */
  rest: string;
}

/**
 * Reads `archive.zip:inner/path`: the shortest beginning that is an archive on the disk. With `make`, one that is not
 * there yet may be meant.
 */
export function archiveIn(files: Files, argument: string, make?: "make"): Inside | undefined {
  // Its format is told by its name, and it is opened by its real one.
  const holds = (path: string) => files.stat(path)?.isFile() === true && archiveEnding.test(realPath(path));
  return inside(files, argument, { ending: archiveEnding, marks: ":", holds, make });
}

/** Reads `data.db:table`; a file with such a name that is no database is a plain file. */
export const databaseIn = (files: Files, argument: string): Inside | undefined =>
  inside(files, argument, { ...database, holds: (path) => files.isDatabase(realPath(path)) });

/** Reads a path that would be inside of a database if there was one. */
export const absentDatabaseIn = (files: Files, argument: string): Inside | undefined =>
  inside(files, argument, { ...database, holds: (path) => files.stat(path) === undefined });

const database = { ending: databaseEnding, marks: ":?" };

interface Kind {
  ending: RegExp;
  marks: string;
  holds(path: string): boolean;
  make?: "make";
}

/** No system knows a longer one, so no colon behind it ends the name of a file. */
const longestPath = 4096;

function inside(files: Files, argument: string, { ending, marks, holds, make }: Kind): Inside | undefined {
  let longest: Inside | undefined;
  const end = Math.min(argument.length, longestPath);
  for (let at = 0; at <= end; at++) {
    if (at < argument.length && !marks.includes(argument.charAt(at))) continue;
    const name = argument.slice(0, at);
    if (!ending.test(name)) continue;
    const container = { path: files.resolve(name), name, rest: argument.slice(at) };
    if (holds(container.path)) return container;
    longest = files.stat(container.path) ? longest : container;
  }
  return make && longest?.rest.startsWith(":") ? longest : undefined;
}

/** The name of a member, without `.` and empty pieces; undefined for one that climbs. */
export function memberName(inner: string): string | undefined {
  const pieces = inner.split("/").filter((piece) => piece !== "" && piece !== ".");
  return pieces.includes("..") ? undefined : pieces.join("/");
}
