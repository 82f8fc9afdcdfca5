import { dirname, join } from "node:path";
import { type Touch, touch } from "@pith/agent";
import { fail, ok, type Result, realPath } from "@pith/kit";
import type { Files } from "../files/files.ts";
import { literalGlob } from "../files/path.ts";
import { looksLikeUrl } from "../url/url.ts";
import { archiveIn } from "./container.ts";
import { parseSelector, type Range } from "./selector.ts";

/** The meaning of an entry of `paths`; `at` is the file or directory that is read for it. */
export type PathScope = { argument: string; ranges: Range[] } & (
  | { is: "file"; at: Touch }
  /** `except` are absolute globs of paths that are left out, by real paths. */
  | { is: "directory"; at: Touch; glob?: string; except?: string[] }
  | { is: "archive"; at: Touch; rest: string }
  | { is: "url"; href: string }
  | { is: "special" }
  | { is: "missing"; glob?: string }
);

/**
 * Reads the entries of `paths`. Several that were written as one (`a.ts, b.ts`) are taken apart when the pieces are
 * there: at least one of those between commas or semicolons, all of those between spaces. An entry that begins with `!`
 * is left out of the directories and globs beside it.
 */
export function readScopes(files: Files, entries: readonly string[]): Result<PathScope[], "path"> {
  const scopes: PathScope[] = [];
  const excepted: string[] = [];
  for (const entry of entries.map(unquoted)) {
    if (entry === "") return fail("path", "An entry of paths is empty");
    for (const part of splitEntry(files, entry)) {
      if (isException(files, part)) {
        excepted.push(...exception(files, part.slice(1)));
        continue;
      }
      const scope = scopeOf(files, part);
      if (!scope.ok) return scope;
      scopes.push(...everywhere(files, scope.value));
    }
  }
  // No entry at all means what no list means: the project.
  if (scopes.length === 0)
    scopes.push(...everywhere(files, { is: "directory", at: touch("read", files.cwd), argument: ".", ranges: [] }));
  const except = excepted.length > 0 ? excepted : undefined;
  return ok(scopes.map((scope) => (scope.is === "directory" ? { ...scope, except } : scope)));
}

/** The scope for each folder of the project, where no directory is named. */
const everywhere = (files: Files, scope: PathScope): PathScope[] =>
  scope.is === "directory" && scope.at.path === files.cwd && (scope.argument === "." || scope.glob !== undefined)
    ? [scope, ...files.roots.map((root) => ({ ...scope, at: touch("read", root) }))]
    : [scope];

const isException = (files: Files, part: string): boolean =>
  part.length > 1 && part.startsWith("!") && files.stat(files.resolve(part)) === undefined;

/** Globs for absolute paths of what an exception names (a bare name at any depth), and all that is below it. */
function exception(files: Files, name: string): string[] {
  const { base, glob } =
    globIn(files, name) ??
    (name.includes("/") ? { base: files.resolve(name), glob: "" } : { base: "", glob: `**/${literalGlob(name)}` });
  const whole = glob.startsWith("**/") ? `/${glob}` : join(literalGlob(realPath(base)), glob);
  return [whole, `${whole}/**`];
}

const unquoted = (entry: string): string => {
  const [, , inner] = /^(["'`])(.*)\1$/s.exec(entry.trim()) ?? [];
  return (inner ?? entry).trim();
};

function splitEntry(files: Files, entry: string): string[] {
  const there = (part: string) => {
    const scope = scopeOf(files, isException(files, part) ? part.slice(1) : part);
    return scope.ok && scope.value.is !== "missing";
  };
  const whole = scopeOf(files, entry);
  // A name that is there, with whatever signs; a pattern could still be several.
  if (whole.ok && whole.value.is !== "missing" && !("glob" in whole.value)) return [entry];
  for (const [separator, enough] of [
    [/[,;]/, (pieces: string[]) => pieces.some(there)],
    [/\s+/, (pieces: string[]) => pieces.every(there)],
  ] as const) {
    const pieces = outsideBraces(entry, separator)
      .map(unquoted)
      .filter((part) => part !== "");
    if (pieces.length > 1 && enough(pieces)) return pieces;
  }
  return [entry];
}

/** A comma in `{a,b}` belongs to the glob. */
function outsideBraces(entry: string, separator: RegExp): string[] {
  const kept = entry.replace(/\{[^{}]*\}/g, (group) =>
    group.replace(/[,;\s]/g, (sign) => String.fromCharCode(0xe000 + sign.charCodeAt(0))),
  );
  return kept
    .split(separator)
    .map((part) => part.replace(/[\ue000-\ue0ff]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xe000)));
}

function scopeOf(files: Files, argument: string): Result<PathScope, "path"> {
  if (looksLikeUrl(argument)) {
    const selected = parseSelector(argument, () => false);
    const { path = argument, ranges = [] } = selected.ok && /:\/\/./.test(selected.value.path) ? selected.value : {};
    return ok({ is: "url", argument, href: path, ranges });
  }
  const exists = (name: string) => files.stat(files.resolve(name)) !== undefined;
  const archive = archiveIn(files, argument);
  if (archive && !exists(argument))
    return ok({ is: "archive", at: touch("read", archive.path), rest: archive.rest, argument, ranges: [] });
  const selected = parseSelector(argument, exists);
  if (!selected.ok) return fail("path", selected.message);
  const { path: name, ranges } = selected.value;
  // A bare slash is what a model writes for "here".
  if (name === "/") return scopeOf(files, ".");
  const path = files.resolve(name);
  const stat = files.stat(path);
  if (stat?.isDirectory()) return directoryScope(path, { argument, ranges });
  if (stat?.isFile() && archive?.rest === "")
    return ok({ is: "archive", at: touch("read", archive.path), rest: archive.rest, argument, ranges });
  if (stat?.isFile()) return ok({ is: "file", at: touch("read", path), argument, ranges });
  if (stat) return ok({ is: "special", argument, ranges });
  const pattern = globIn(files, name);
  if (!pattern) return ok({ is: "missing", argument, ranges });
  const { base, glob } = pattern;
  if (base === "/") return scopeOf(files, argument.replace(/^\/+/, ""));
  if (!isClosed(glob)) return fail("path", `${argument}: a bracket or brace of the glob is not closed`);
  const below = files.stat(base);
  if (below && !below.isDirectory()) return fail("path", `${argument}: the part before the glob is not a directory`);
  return below ? directoryScope(base, { glob, argument, ranges }) : ok({ is: "missing", glob, argument, ranges });
}

function directoryScope(
  path: string,
  more: { argument: string; ranges: Range[]; glob?: string },
): Result<PathScope, "path"> {
  const at = touch("read", path);
  const isWhole = dirname(at.real) === at.real;
  return isWhole
    ? fail("path", `${path} is the whole machine; name a directory of it`)
    : ok({ is: "directory", at, ...more });
}

/**
 * The directory before the first part with a wildcard, and the glob that is matched below it. A bare pattern is meant
 * at any depth, and a directory that is called like a pattern (`app/[id]/*.tsx`) is meant as it is called.
 */
function globIn(files: Files, name: string): { base: string; glob: string } | undefined {
  // A byte that is no letter is written with a backslash too.
  const slashed = name.replace(/\\{1,2}x[89a-f][\da-f]|\\/gi, (sign) => (sign === "\\" ? "/" : sign));
  const segments = slashed.replace(/^\.\//, "").split("/");
  const baseOf = (count: number) =>
    files.resolve(segments.slice(0, count).join("/") || (name.startsWith("/") ? "/" : "."));
  const first = segments.findIndex((segment, i) => wild.test(segment) && files.stat(baseOf(i + 1)) === undefined);
  if (first === -1) return undefined;
  const rest = segments.slice(first).join("/");
  return { base: baseOf(first), glob: first === 0 && !rest.startsWith("**/") ? `**/${rest}` : rest };
}

const wild = /[*?[{]/;

const isClosed = (glob: string): boolean => {
  const outside = glob.replace(/\[!?\]?[^\]]*\]/g, "");
  return !outside.includes("[") && outside.split("{").length === outside.split("}").length;
};
