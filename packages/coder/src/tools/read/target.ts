import { existsSync } from "node:fs";
import { spelledPath } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import { type Place, resolvePath } from "../../files/path.ts";
import { looksLikeUrl } from "../../url/url.ts";
import { archiveIn, databaseIn, type Inside } from "../container.ts";
import { parseSelector, type Selector } from "../selector.ts";

/** What the path of a call means. */
export type Target =
  | { is: "url"; url: UrlTarget }
  | { is: "archive"; archive: Inside }
  | { is: "database"; database: Inside }
  | { is: "file"; file: FileTarget };

export interface UrlTarget extends Selector {
  href: string;
}
export interface FileTarget extends Selector {
  path: string;
  /** Without the selector. */
  given: string;
}

/**
 * Web and internal addresses first, then archives, databases, and at last plain paths; a name that exists as it stands
 * is a plain path.
 */
export function findTarget(place: Place, given: string): Result<Target, "range"> {
  if (looksLikeUrl(given) || /^www\./i.test(given))
    return urlTarget(/^www\./i.test(given) ? `https://${given}` : given);
  const exists = (path: string) => existsSync(resolvePath(place, path));
  const plain = exists(given);
  const archive = archiveIn(place, given);
  if (archive && (!plain || archive.rest === "")) return ok({ is: "archive", archive });
  const database = plain && !databaseIn(place, given) ? undefined : databaseIn(place, given);
  if (database && (!plain || database.rest === "")) return ok({ is: "database", database });
  const selected = parseSelector(given, exists);
  if (!selected.ok) return selected;
  const { path, ranges, show } = selected.value;
  // A bare slash is what a model writes for "here".
  return ok({
    is: "file",
    file: { path: path === "/" ? place.cwd : spelledPath(resolvePath(place, path)), given: path, ranges, show },
  });
}

/** The files that a target touches, for whoever has to allow it; what pith keeps itself is not among them. */
export function pathsOf(place: Place, given: string): string[] {
  const target = findTarget(place, given);
  if (!target.ok) return [resolvePath(place, given)];
  switch (target.value.is) {
    case "url":
      return [];
    case "archive":
      return [target.value.archive.path];
    case "database":
      return [target.value.database.path];
    case "file":
      return [target.value.file.path];
  }
}

function urlTarget(given: string): Result<Target, "range"> {
  const selected = parseSelector(given, () => false);
  if (!selected.ok) return selected;
  const { path, ranges, show } = selected.value;
  // `artifact:` alone is left of `artifact://3` when the 3 is taken for a line.
  if (!/^[^:]+:\/\/./.test(path)) return ok({ is: "url", url: { href: given, ranges: [], show: "numbered" } });
  return show === "conflicts"
    ? fail("range", ":conflicts needs a file")
    : ok({ is: "url", url: { href: path, ranges, show } });
}
