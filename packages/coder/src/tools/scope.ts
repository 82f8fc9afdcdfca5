import { statSync } from "node:fs";
import { schema as s } from "@pith/agent";
import { fail, ok, type Result } from "@pith/kit";
import { looksLikeUrl } from "../url/url.ts";
import { archiveIn, type Inside } from "./container.ts";
import { type Place, resolvePath, statOf } from "./place.ts";
import { parseSelector, type Range } from "./selector.ts";

/** `paths` of a call: a list, as the model is told; one alone is understood. */
export const pathList = (): s.Schema<string[]> => {
  const list = s.array(s.string());
  return new s.Schema<string[]>(list.json, (value, tell) => list.read(typeof value === "string" ? [value] : value, tell));
};

/** What one entry of `paths` means. */
export type Scope = { given: string; ranges: Range[] } & (
  | { is: "file"; path: string }
  | { is: "directory"; path: string; glob?: string }
  | { is: "archive"; archive: Inside }
  | { is: "url"; href: string }
  | { is: "special" }
  | { is: "missing"; glob?: string }
);

/**
 * The entries of `paths`, understood. Several that were written as one (`a.ts, b.ts`) are taken apart when the parts are
 * there: at least one of those between commas or semicolons, all of those between spaces.
 */
export function readScopes(place: Place, entries: readonly string[]): Result<Scope[], "range" | "empty"> {
  const scopes: Scope[] = [];
  for (const entry of entries.map(unquoted)) {
    if (entry === "") return fail("empty", "empty");
    const parts = splitEntry(place, entry);
    for (const part of parts) {
      const scope = scopeOf(place, part);
      if (!scope.ok) return scope;
      scopes.push(scope.value);
    }
  }
  return scopes.length > 0 ? ok(scopes) : fail("empty", "empty");
}

const unquoted = (entry: string): string => {
  const [, , inner] = /^(["'`])(.*)\1$/s.exec(entry.trim()) ?? [];
  return (inner ?? entry).trim();
};

function splitEntry(place: Place, entry: string): string[] {
  const there = (part: string) => {
    const scope = scopeOf(place, part);
    return scope.ok && scope.value.is !== "missing";
  };
  if (there(entry)) return [entry];
  for (const [separator, enough] of [
    [/[,;]/, (parts: string[]) => parts.some(there)],
    [/\s+/, (parts: string[]) => parts.every(there)],
  ] as const) {
    const parts = outsideBraces(entry, separator)
      .map(unquoted)
      .filter((part) => part !== "");
    if (parts.length > 1 && enough(parts)) return parts;
  }
  return [entry];
}

/** A comma in `{a,b}` belongs to the glob. */
function outsideBraces(entry: string, separator: RegExp): string[] {
  const kept = entry.replace(/\{[^{}]*\}/g, (group) => group.replace(/[,;\s]/g, (sign) => String.fromCharCode(0xe000 + sign.charCodeAt(0))));
  return kept.split(separator).map((part) => part.replace(/[\ue000-\ue0ff]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xe000)));
}

function scopeOf(place: Place, given: string): Result<Scope, "range"> {
  if (looksLikeUrl(given)) {
    const selected = parseSelector(given, () => false);
    const { path = given, ranges = [] } = selected.ok && /:\/\/./.test(selected.value.path) ? selected.value : {};
    return ok({ is: "url", given, href: path, ranges });
  }
  const exists = (path: string) => statOf(resolvePath(place, path)) !== undefined;
  const archive = archiveIn(place, given);
  if (archive && !exists(given)) return ok({ is: "archive", archive, given, ranges: [] });
  const selected = parseSelector(given, exists);
  if (!selected.ok) return selected;
  const { path: name, ranges } = selected.value;
  const path = name === "/" ? "/" : resolvePath(place, name);
  const stat = statOf(path);
  if (stat?.isDirectory()) return ok({ is: "directory", path, given, ranges });
  if (stat?.isFile()) return ok(archive?.rest === "" ? { is: "archive", archive, given, ranges } : { is: "file", path, given, ranges });
  if (stat) return ok({ is: "special", given, ranges });
  return ok(globScope(place, given, name, ranges));
}

/** What stands before the first part with a wildcard is a directory; the rest is matched below it. A bare pattern is meant at any depth. */
function globScope(place: Place, given: string, name: string, ranges: Range[]): Scope {
  const segments = name.replaceAll("\\", "/").replace(/^\.\//, "").split("/");
  const first = segments.findIndex((segment) => /[*?[{]/.test(segment));
  if (first === -1) return { is: "missing", given, ranges };
  const rest = segments.slice(first).join("/");
  const glob = first === 0 && !rest.startsWith("**/") ? `**/${rest}` : rest;
  const base = resolvePath(place, segments.slice(0, first).join("/") || (name.startsWith("/") ? "/" : "."));
  return statSync(base, { throwIfNoEntry: false })?.isDirectory()
    ? { is: "directory", path: base, glob, given, ranges }
    : { is: "missing", glob, given, ranges };
}

/** What a call touches, for whoever has to allow it. */
export function scopePaths(place: Place, entries: readonly string[]): string[] {
  const scopes = readScopes(place, entries);
  if (!scopes.ok) return entries.map((entry) => resolvePath(place, entry));
  return scopes.value.flatMap((scope) => {
    if (scope.is === "url") return [];
    if (scope.is === "archive") return [scope.archive.path];
    return [scope.is === "file" || scope.is === "directory" ? scope.path : resolvePath(place, scope.given)];
  });
}
