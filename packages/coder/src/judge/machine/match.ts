import type { Dirent } from "node:fs";
import { join } from "node:path";
import { entriesIn, realPath } from "@pith/kit";

/** More names than this are not looked through. */
const most = 4000;

/** Where a pattern of paths leads by links that it matches: `docs/*` may be a link that leads out. */
export function linksMatching(pattern: string): readonly string[] {
  const parts = pattern.split("/").slice(1);
  const first = parts.findIndex((part) => part.includes("*"));
  const found: string[] = [];
  let folders = [`/${parts.slice(0, first).join("/")}`];
  let left = most;
  for (const [at, part] of parts.slice(first).entries()) {
    const last = first + at === parts.length - 1;
    if (!part.includes("*")) {
      folders = folders.map((folder) => join(folder, part));
      if (last) found.push(...folders.map(realPath));
      continue;
    }
    const entries = folders.flatMap((folder) => entriesIn(folder));
    left -= entries.length;
    // Who has so many may have one that leads anywhere.
    if (left < 0) return ["/"];
    const fitting = entries.filter(matching(part));
    found.push(...fitting.filter((entry) => entry.isSymbolicLink()).map((entry) => realPath(pathOf(entry))));
    folders = fitting.filter((entry) => !entry.isFile()).map(pathOf);
  }
  return found;
}

const pathOf = ({ parentPath, name }: Dirent): string => join(parentPath, name);

function matching(part: string): (entry: Dirent) => boolean {
  const escaped = part.split("*").map((text) => text.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  const pattern = new RegExp(`^${escaped.join(".*")}$`, "is");
  return ({ name }) => pattern.test(name);
}
