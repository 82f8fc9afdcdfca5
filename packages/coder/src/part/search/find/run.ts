import { basename, dirname, join } from "node:path";
import { type Call, type Intent, type Outcome, refusal, type Touch } from "@pith/agent";
import { throttle } from "@pith/host";
import { defined, fail, ok, type Result } from "@pith/kit";
import { openAddresses } from "../../../tools/address.ts";
import { cutHead, some } from "../../../tools/cut.ts";
import { metaOf } from "../../../tools/meta.ts";
import { scopesBySuffix } from "../../../tools/missing.ts";
import { type PathScope, readScopes } from "../../../tools/scope.ts";
import type { FindInput, FindOptions } from "../options.ts";

const maxResults = 200;
const progressMs = 200;

export async function prepareFind(
  options: FindOptions,
  request: FindInput,
  signal: AbortSignal,
): Promise<Intent | Outcome> {
  const { limit = maxResults } = request;
  if (!Number.isFinite(limit) || limit <= 0) return refusal("limit must be above 0");
  const targets = await findTargets(options, request.paths, signal);
  if (!targets.ok) return refusal(targets.message);
  const paths = targets.value.there.flatMap(({ at }) => at ?? []);
  return { effect: "read", paths, run: (call) => run(options, request, targets.value, call) };
}

/** The meaning of an entry of `paths`: a directory to look below, or a name that is its own answer. */
type FindTarget = (PathScope & { is: "directory" }) | { is: "name"; name: string; at?: Touch | undefined };

interface FindTargets {
  there: FindTarget[];
  missing: string[];
  /** Notes about entries that were taken for others. */
  notes: string[];
}

async function findTargets(
  { files, urls }: FindOptions,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Result<FindTargets, "path">> {
  const scopes = readScopes(files, paths);
  if (!scopes.ok) return scopes;
  const targets: FindTargets = { there: [], missing: [], notes: [] };
  const problems: string[] = [];
  const named = (at: Touch): FindTarget => ({ is: "name", name: files.show(at.path), at });
  for (const scope of scopes.value) {
    if (scope.is === "missing") {
      const { scopes, note, problem } = await scopesBySuffix(files, scope, signal);
      targets.there.push(...scopes.flatMap((near) => ("at" in near ? [named(near.at)] : [])));
      if (note) targets.notes.push(note);
      else targets.missing.push(scope.argument);
      problems.push(problem);
    } else if (scope.is === "url") {
      // An address that is like a directory stands for the addresses below it.
      const addresses = await openAddresses(urls, scope.href, signal);
      if (!addresses.ok) return addresses;
      targets.there.push(...addresses.value.map(({ href, at }): FindTarget => ({ is: "name", name: href, at })));
    } else if (scope.is === "special") targets.there.push({ is: "name", name: scope.argument });
    else targets.there.push(scope.is === "directory" ? scope : named(scope.at));
  }
  return targets.missing.length === 0 || targets.there.length > 0 ? ok(targets) : fail("path", problems.join("\n"));
}

async function run(options: FindOptions, request: FindInput, targets: FindTargets, call: Call): Promise<Outcome> {
  const { files } = options;
  const { there, missing, notes } = targets;
  const { limit = maxResults, timeout = 5, skip = 0 } = request;
  const seconds = Math.min(60, Math.max(0.5, timeout));
  const most = Math.min(maxResults, Math.max(1, Math.floor(limit))) + skip;
  const limits: Limits = {
    hidden: request.hidden === false ? "leave out" : "list",
    ignores: request.gitignore === false ? "off" : "on",
    most,
    until: performance.now() + seconds * 1000,
  };
  const listings: Listing[] = [];
  for (const target of there) {
    if (target.is === "name") {
      const { name, at } = target;
      listings.push({ names: [{ name, time: (at && files.stat(at.real)?.mtimeMs) ?? 0 }] });
      continue;
    }
    const listing = await list(options, target, limits, call);
    if (!listing.ok) return refusal(listing.message);
    listings.push(listing.value);
  }
  const byName = new Map(listings.flatMap(({ names }) => names).map((entry) => [entry.name, entry]));
  const names = [...byName.values()].sort((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1));
  const [only] = there.length + missing.length === 1 ? there : [];
  return outcome(names.map(({ name }) => name).slice(skip, most), {
    scope: only?.is === "directory" ? files.show(only.at.path) : ".",
    next: names.length > most || listings.some(({ more }) => more) ? most : undefined,
    seconds,
    late: listings.some(({ late }) => late),
    unread: listings.flatMap(({ unread }) => unread ?? []),
    // A path that was given exactly comes back as a line.
    layout: there.some((target) => target.is === "directory") ? "grouped" : "lines",
    missing,
    notes,
    room: options.room(),
  });
}

interface Limits {
  hidden: "list" | "leave out";
  ignores: "on" | "off";
  most: number;
  /** Deadline on the clock of `performance.now`. */
  until: number;
}

interface Listing {
  /** Names that the model knows; a directory ends in a slash. */
  names: { name: string; time: number }[];
  more?: boolean;
  late?: boolean;
  /** Paths that could not be looked into, and why. */
  unread?: string[];
}

async function list(
  { files, env, room }: FindOptions,
  { at, argument, glob, except }: PathScope & { is: "directory" },
  { hidden, ignores, most: max, until }: Limits,
  call: Call,
): Promise<Result<Listing, "path">> {
  const scope = files.show(at.path);
  const named = (path: string) =>
    path.endsWith("/") ? `${files.show(join(at.path, path.slice(0, -1)))}/` : files.show(join(at.path, path));
  let sofar: readonly string[] = [];
  const telling = throttle(progressMs, () =>
    call.progress(outcome(sofar.slice(0, maxResults).map(named), { scope, room: room() })),
  );
  const onFound = (paths: readonly string[]) => {
    sofar = paths;
    telling.poke();
  };
  const timeoutMs = Math.max(1, until - performance.now());
  const where = { root: at.real, glob, except, hidden, ignores };
  const listed = await files.list({ ...where, env, max, timeoutMs, signal: call.signal, onFound });
  telling.stop();
  if (!listed.ok) return fail("path", listed.kind === "unreadable" ? `${argument}: ${listed.message}` : listed.message);
  const { paths, times, more, end, unread } = listed.value;
  return ok({
    names: paths.map((path, i) => ({ name: named(path), time: times[i] ?? 0 })),
    more,
    late: end === "timeout",
    unread: unread.map(({ path, reason }) => `${named(path)} (${reason})`),
  });
}

interface About {
  scope: string;
  /** The `skip` of the next page, if there is one. */
  next?: number | undefined;
  seconds?: number;
  late?: boolean;
  layout?: "grouped" | "lines";
  missing?: readonly string[];
  notes?: readonly string[];
  unread?: readonly string[];
  room: number;
}

function outcome(
  names: readonly string[],
  { scope, next, seconds, late, layout = "grouped", missing = [], notes: taken = [], unread = [], room }: About,
): Outcome<"listing"> {
  const listed = names.length === 0 ? "No files" : layout === "lines" ? names.join("\n") : grouped(names);
  const { text, truncation } = cutHead(listed, room);
  const stopped = `Stopped after ${seconds} s with ${names.length} found so far`;
  const notes = [
    ...taken,
    ...(late ? [`${stopped}; narrow the pattern or give a longer timeout`] : []),
    ...(next === undefined ? [] : [`There are more: skip: ${next} brings the next page, or narrow the pattern`]),
    ...(missing.length > 0 ? [`Not there: ${missing.join(", ")}`] : []),
    ...(unread.length > 0 ? [`Not looked into: ${some(unread)}`] : []),
  ];
  const cut = late || next !== undefined || truncation !== undefined;
  return {
    kind: "listing",
    data: defined({
      path: scope,
      count: names.length,
      scopePath: scope,
      fileCount: names.length,
      files: [...names],
      truncated: cut ? true : undefined,
      resultLimitReached: next === undefined ? undefined : true,
      missingPaths: missing.length > 0 ? [...missing] : undefined,
    }),
    text,
    meta: metaOf({ truncation, notes }),
  };
}

/** Names below their directories; directories in the order of their newest file, the project's own files first. */
function grouped(names: readonly string[]): string {
  const groups = new Map<string, string[]>([[".", []]]);
  for (const name of names) {
    const folder = dirname(name);
    const group = groups.get(folder) ?? [];
    // In the project itself a name stands as it is given back, `./@x` too.
    groups.set(folder, [...group, folder === "." ? name : `${basename(name)}${name.endsWith("/") ? "/" : ""}`]);
  }
  return [...groups]
    .filter(([, group]) => group.length > 0)
    .map(([folder, group]) => (folder === "." ? group.join("\n") : `# ${folder}/\n${group.join("\n")}`))
    .join("\n\n");
}
