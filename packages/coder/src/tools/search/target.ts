import { dirname } from "node:path";
import { fail, ok, type Result } from "@pith/kit";
import type { Files } from "../../files/files.ts";
import type { Router } from "../../url/router.ts";
import { type Address, globProblem, openAddress } from "../address.ts";
import { readScopes, type Scope, wholeMachine } from "../scope.ts";
import type { Range } from "../selector.ts";

/** What is searched: a scope of the call, or what stands behind its addresses. */
export type Target = (Scope & { is: "file" | "directory" | "archive" }) | AddressTarget;

export interface AddressTarget {
  is: "addresses";
  argument: string;
  ranges: Range[];
  addresses: Address[];
  /** Whether all that are below a bare `scheme://` are meant. */
  all: boolean;
}

export interface Targets {
  there: Target[];
  /** Of the entries of `paths` those that are not there, or nothing that can be searched. */
  missing: string[];
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
  const scopes = readScopes(files, paths);
  if (!scopes.ok) return fail("path", scopes.kind === "empty" ? "An entry of paths is empty" : scopes.message);
  const misplaced = scopes.value.map(rangeProblem).find((problem) => problem !== undefined);
  if (misplaced) return fail("path", misplaced);
  const there: Target[] = [];
  const missing: string[] = [];
  const problems: string[] = [];
  for (const scope of scopes.value) {
    if (scope.is === "missing" || scope.is === "special") {
      missing.push(scope.argument);
      problems.push(
        scope.is === "special" ? `${scope.argument}: is not a regular file` : `There is no ${scope.argument}`,
      );
    } else if (scope.is === "url") {
      const target = await addressTarget(urls, scope, signal);
      if (!target.ok) return target;
      there.push(target.value);
    } else if (scope.is === "directory" && dirname(scope.at.real) === scope.at.real)
      return fail("path", wholeMachine(scope.at.path));
    else there.push(scope);
  }
  if (there.length === 0) return fail("path", problems.join("\n"));
  const scope = scopes.value.map((scope) =>
    scope.is === "directory" && scope.glob === undefined ? files.show(scope.at.path) : scope.argument,
  );
  return ok({ there, missing, scope: scope.join(", ") });
}

async function addressTarget(
  urls: Router,
  { href, argument, ranges }: Scope & { is: "url" },
  signal: AbortSignal,
): Promise<Result<Target, "path">> {
  const problem = globProblem(href);
  if (problem) return fail("path", problem);
  const below = await urls.list(href);
  const addresses: Address[] = [];
  for (const name of below ?? [href]) {
    const address = await openAddress(urls, name, signal);
    if (!address.ok) return fail("path", address.message);
    addresses.push(address.value);
  }
  return ok({ is: "addresses", argument, ranges, addresses, all: below !== undefined });
}

function rangeProblem(scope: Scope): string | undefined {
  if (scope.ranges.length === 0) return undefined;
  if ((scope.is === "directory" || scope.is === "missing") && scope.glob !== undefined)
    return `Lines can be chosen of one file only; ${scope.argument} is a glob`;
  if (scope.is === "directory") return `Lines can be chosen of one file only; ${scope.argument} is a directory`;
  return scope.is === "missing" ? `There is no ${scope.argument} to choose lines of` : undefined;
}
