import type { Dirent } from "node:fs";
import { join } from "node:path";
import { entriesIn } from "@pith/kit";

/** Names that are looked through for one pattern. */
const most = 4000;

/** The paths that an absolute pattern of `*` and `?` matches, sorted; undefined where there are too many names. */
export function matchesOf(pattern: string): readonly string[] | undefined {
  let paths = ["/"];
  let left = most;
  for (const part of pattern.split("/").filter((one) => one !== "")) {
    if (!/[*?]/.test(part)) {
      paths = paths.map((path) => join(path, part));
      continue;
    }
    const entries = paths.flatMap((path) => entriesIn(path));
    left -= entries.length;
    if (left < 0) return undefined;
    paths = entries.filter(fits(part)).map(({ parentPath, name }) => join(parentPath, name));
  }
  return paths.sort();
}

function fits(part: string): (entry: Dirent) => boolean {
  const source = part
    .replace(/[\\^$.|+()[\]{}]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".");
  const pattern = new RegExp(`^${source}$`, "su");
  // What begins with a dot is matched by what begins with one.
  return ({ name }) => pattern.test(name) && (name[0] !== "." || part[0] === ".");
}
