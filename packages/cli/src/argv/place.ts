import { statSync } from "node:fs";
import { resolve } from "node:path";
import { fail, ok, type Result } from "@pith/kit";

/** The directory to work in: the one that was named, or the present one. */
export function workPlace(named: string | undefined, cwd: string): Result<string, "usage"> {
  if (named === undefined) return ok(cwd);
  const place = resolve(cwd, named);
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ? ok(place) : fail("usage", `--cwd: ${place} is not a directory`);
}
