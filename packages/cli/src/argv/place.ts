import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Values } from "@pith/coder";
import { fail, ok, type Result } from "@pith/kit";

/** The directory to work in: the one that was named, or the present one. */
export function workPlace(named: string | undefined, cwd: string): Result<string, "usage"> {
  if (named === undefined) return ok(cwd);
  const place = resolve(cwd, named);
  return statSync(place, { throwIfNoEntry: false })?.isDirectory()
    ? ok(place)
    : fail("usage", `--cwd: ${place} is not a directory`);
}

/** Other folders of the project, as the setting holds them; nothing when none was named. */
export function otherPlaces(named: readonly string[] | undefined, cwd: string): Result<Values, "usage"> {
  const places = (named ?? []).map((name) => resolve(cwd, name));
  const odd = places.find(
    (place) => place.includes("\n") || !statSync(place, { throwIfNoEntry: false })?.isDirectory(),
  );
  if (odd !== undefined) return fail("usage", `--add-dir: ${odd} is not a directory`);
  return ok(places.length > 0 ? { "project.roots": places.join("\n") } : {});
}
