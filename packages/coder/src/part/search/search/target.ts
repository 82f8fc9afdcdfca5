import { fail, ok, type Result } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import { type Address, openAddresses } from "../../../tools/address.ts";
import { scopesBySuffix } from "../../../tools/missing.ts";
import { type PathScope, readScopes } from "../../../tools/scope.ts";
import type { Range } from "../../../tools/selector.ts";
import type { Router } from "../../../url/router.ts";

/** A place to search: a scope of the call, or the content of its addresses. */
export type SearchTarget = (PathScope & { is: "file" | "directory" | "archive" }) | AddressTarget;

export interface AddressTarget {
  is: "addresses";
  argument: string;
  ranges: Range[];
  addresses: Address[];
  /** True if all addresses below one are meant. */
  all: boolean;
}

export interface SearchTargets {
  there: SearchTarget[];
  /** Entries of `paths` that are not there, or nothing that can be searched. */
  missing: string[];
  /** Notes about entries that were taken for others. */
  notes: string[];
  /** All entries, as they are told. */
  scope: string;
}

/** Finds the places that a call would search. */
export async function findTargets(
  files: Files,
  urls: Router,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Result<SearchTargets, "path">> {
  const read = readScopes(files, paths);
  if (!read.ok) return read;
  const { scopes, notes, problems } = await foundScopes(files, read.value, signal);
  const misplaced = scopes.map(rangeProblem).find((problem) => problem !== undefined);
  if (misplaced) return fail("path", misplaced);
  const there: SearchTarget[] = [];
  const missing: string[] = [];
  for (const scope of scopes) {
    if (scope.is === "missing" || scope.is === "special") {
      missing.push(scope.argument);
      if (scope.is === "special") problems.push(`${scope.argument}: is not a regular file`);
    } else if (scope.is === "url") {
      const { href, argument, ranges } = scope;
      const opened = await openAddresses(urls, href, signal);
      if (!opened.ok) return opened;
      const addresses = opened.value;
      const all = addresses.length !== 1 || addresses[0]?.href !== href;
      there.push({ is: "addresses", argument, ranges, addresses, all });
    } else there.push(scope);
  }
  if (there.length === 0) return fail("path", problems.join("\n"));
  const names = scopes.map((scope) =>
    scope.is === "directory" && scope.glob === undefined ? files.show(scope.at.path) : scope.argument,
  );
  return ok({ there, missing, notes, scope: names.join(", ") });
}

/** A path that is not there is looked for by its end; where several end so, none is taken. */
async function foundScopes(files: Files, read: readonly PathScope[], signal: AbortSignal) {
  const all = { scopes: [] as PathScope[], notes: [] as string[], problems: [] as string[] };
  for (const scope of read) {
    const near = scope.is === "missing" ? await scopesBySuffix(files, scope, signal) : undefined;
    const [only, other] = near?.scopes ?? [];
    const found = only && !other ? only : undefined;
    all.scopes.push(found ?? scope);
    if (near?.note && found) all.notes.push(near.note);
    else if (near) all.problems.push(near.problem);
  }
  return all;
}

function rangeProblem({ is, argument, ranges, ...scope }: PathScope): string | undefined {
  if (ranges.length === 0 || (is !== "directory" && is !== "missing")) return undefined;
  const isGlob = "glob" in scope && scope.glob !== undefined;
  return is === "missing" && !isGlob
    ? `There is no ${argument} to choose lines of`
    : `Lines can be chosen of one file only; ${argument} is a ${isGlob ? "glob" : "directory"}`;
}
