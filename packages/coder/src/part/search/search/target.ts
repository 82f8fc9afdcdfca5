import { dirname } from "node:path";
import { fail, ok, type Result } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import { type Address, globProblem, openAddress } from "../../../tools/address.ts";
import { scopesBySuffix } from "../../../tools/missing.ts";
import { readScopes, type Scope, wholeMachine } from "../../../tools/scope.ts";
import type { Range } from "../../../tools/selector.ts";
import type { Router } from "../../../url/router.ts";

/** What is searched: a scope of the call, or what stands behind its addresses. */
export type Target = (Scope & { is: "file" | "directory" | "archive" }) | AddressTarget;

export interface AddressTarget {
  is: "addresses";
  argument: string;
  ranges: Range[];
  addresses: Address[];
  /** Whether all that are below it are meant. */
  all: boolean;
}

export interface Targets {
  there: Target[];
  /** Of the entries of `paths` those that are not there, or nothing that can be searched. */
  missing: string[];
  /** What was taken for what. */
  notes: string[];
  /** All of them, as they are told. */
  scope: string;
}

/** Where a call would search. */
export async function findTargets(
  files: Files,
  urls: Router,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Result<Targets, "path">> {
  const read = readScopes(files, paths);
  if (!read.ok) return fail("path", read.kind === "empty" ? "An entry of paths is empty" : read.message);
  const { scopes, notes, problems } = await meant(files, read.value, signal);
  const misplaced = scopes.map(rangeProblem).find((problem) => problem !== undefined);
  if (misplaced) return fail("path", misplaced);
  const there: Target[] = [];
  const missing: string[] = [];
  for (const scope of scopes) {
    if (scope.is === "missing" || scope.is === "special") {
      missing.push(scope.argument);
      if (scope.is === "special") problems.push(`${scope.argument}: is not a regular file`);
    } else if (scope.is === "url") {
      const target = await addressTarget(urls, scope, signal);
      if (!target.ok) return target;
      there.push(target.value);
    } else if (scope.is === "directory" && dirname(scope.at.real) === scope.at.real)
      return fail("path", wholeMachine(scope.at.path));
    else there.push(scope);
  }
  if (there.length === 0) return fail("path", problems.join("\n"));
  const scope = scopes.map((scope) =>
    scope.is === "directory" && scope.glob === undefined ? files.show(scope.at.path) : scope.argument,
  );
  return ok({ there, missing, notes, scope: scope.join(", ") });
}

/** What is not there by its name is looked for by its end; which of several is meant is not ours to guess. */
async function meant(files: Files, read: readonly Scope[], signal: AbortSignal) {
  const all = { scopes: [] as Scope[], notes: [] as string[], problems: [] as string[] };
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

async function addressTarget(
  urls: Router,
  { href, argument, ranges }: Scope & { is: "url" },
  signal: AbortSignal,
): Promise<Result<Target, "path">> {
  const problem = globProblem(href);
  if (problem) return fail("path", problem);
  const names = await urls.names(href);
  const addresses: Address[] = [];
  for (const name of names) {
    const address = await openAddress(urls, name, signal);
    if (!address.ok) return fail("path", address.message);
    addresses.push(address.value);
  }
  return ok({ is: "addresses", argument, ranges, addresses, all: names.length !== 1 || names[0] !== href });
}

function rangeProblem(scope: Scope): string | undefined {
  if (scope.ranges.length === 0) return undefined;
  if ((scope.is === "directory" || scope.is === "missing") && scope.glob !== undefined)
    return `Lines can be chosen of one file only; ${scope.argument} is a glob`;
  if (scope.is === "directory") return `Lines can be chosen of one file only; ${scope.argument} is a directory`;
  return scope.is === "missing" ? `There is no ${scope.argument} to choose lines of` : undefined;
}
