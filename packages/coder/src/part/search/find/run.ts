import { basename, dirname, join } from "node:path";
import { type Call, type Intent, type Outcome, refusal, type Touch } from "@pith/agent";
import { throttle } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import { globProblem, openAddress } from "../../../tools/address.ts";
import { cutHead, some } from "../../../tools/cut.ts";
import { scopesBySuffix } from "../../../tools/missing.ts";
import { readScopes, type Scope, wholeMachine } from "../../../tools/scope.ts";

import type { FindOptions, Input } from "./options.ts";

const maxResults = 200;
const progressMs = 200;

export async function prepareFind(
  options: FindOptions,
  request: Input,
  signal: AbortSignal,
): Promise<Intent | Outcome> {
  const { limit = maxResults } = request;
  if (!Number.isFinite(limit) || limit <= 0) return refusal("limit must be above 0");
  const targets = await findTargets(options, request.paths, signal);
  if (!targets.ok) return refusal(targets.message);
  return {
    effect: "read",
    paths: targets.value.there.flatMap(({ at }) => at ?? []),
    run: (call) => run(options, request, targets.value, call),
  };
}

/** What one entry of `paths` means here: a directory to look below, or a name that is its own answer. */
type Target = (Scope & { is: "directory" }) | { is: "name"; name: string; at?: Touch };

interface Targets {
  there: Target[];
  missing: string[];
  /** What was taken for what. */
  notes: string[];
}

async function findTargets(
  { files, urls }: FindOptions,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Result<Targets, "path">> {
  const scopes = readScopes(files, paths);
  if (!scopes.ok) return fail("path", scopes.kind === "empty" ? "An entry of paths is empty" : scopes.message);
  const targets: Targets = { there: [], missing: [], notes: [] };
  const problems: string[] = [];
  for (const scope of scopes.value) {
    if (scope.is === "missing") {
      const { scopes, note, problem } = await scopesBySuffix(files, scope, signal);
      targets.there.push(...scopes.flatMap((near) => ("at" in near ? [nameTarget(files, near.at)] : [])));
      if (note) targets.notes.push(note);
      else targets.missing.push(scope.argument);
      problems.push(problem);
      continue;
    }
    const found = scope.is === "url" ? await addressTargets(urls, scope.href, signal) : targetOf(files, scope);
    if (!found.ok) return found;
    targets.there.push(...found.value);
  }
  return targets.missing.length === 0 || targets.there.length > 0 ? ok(targets) : fail("path", problems.join("\n"));
}

/** An address that is like a directory stands for what is below it. */
async function addressTargets(
  urls: FindOptions["urls"],
  href: string,
  signal: AbortSignal,
): Promise<Result<Target[], "path">> {
  const problem = globProblem(href);
  if (problem) return fail("path", problem);
  const targets: Target[] = [];
  for (const name of await urls.names(href)) {
    const address = await openAddress(urls, name, signal);
    if (!address.ok) return fail("path", address.message);
    targets.push({ is: "name", name, ...(address.value.at && { at: address.value.at }) });
  }
  return ok(targets);
}

function targetOf(files: Files, scope: Exclude<Scope, { is: "missing" | "url" }>): Result<Target[], "path"> {
  if (scope.is === "special") return ok([{ is: "name", name: scope.argument }]);
  if (scope.is !== "directory") return ok([nameTarget(files, scope.at)]);
  return dirname(scope.at.real) === scope.at.real ? fail("path", wholeMachine(scope.at.path)) : ok([scope]);
}

const nameTarget = (files: Files, at: Touch): Target => ({ is: "name", name: files.show(at.path), at });

async function run(
  options: FindOptions,
  request: Input,
  { there, missing, notes }: Targets,
  call: Call,
): Promise<Outcome> {
  const { files } = options;
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
    const listing = target.is === "name" ? ok(alone(files, target)) : await list(options, target, limits, call);
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
    // A path that was given exactly comes back as one line.
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
  /** Of `performance.now`. */
  until: number;
}

interface Listing {
  /** As the model knows them; a directory ends in a slash. */
  names: { name: string; time: number }[];
  more?: boolean;
  late?: boolean;
  /** What could not be looked into, and why. */
  unread?: string[];
}

const alone = (files: Files, { name, at }: Target & { is: "name" }): Listing => ({
  names: [{ name, time: (at && files.stat(at.real)?.mtimeMs) ?? 0 }],
});

async function list(
  { files, env, room }: FindOptions,
  { at, argument, glob, except }: Scope & { is: "directory" },
  { hidden, ignores, most, until }: Limits,
  call: Call,
): Promise<Result<Listing, "path">> {
  const named = (path: string) =>
    path.endsWith("/") ? `${files.show(join(at.path, path.slice(0, -1)))}/` : files.show(join(at.path, path));
  let sofar: readonly string[] = [];
  const telling = throttle(progressMs, () =>
    call.progress(outcome(sofar.slice(0, maxResults).map(named), { scope: files.show(at.path), room: room() })),
  );
  const listed = await files.list({
    env,
    root: at.real,
    hidden,
    ignores,
    max: most,
    signal: call.signal,
    glob,
    except,
    timeoutMs: Math.max(1, until - performance.now()),
    onFound(paths) {
      sofar = paths;
      telling.poke();
    },
  });
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
  /** Where the next page begins, when there is one. */
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
  { scope, next, seconds, late = false, layout = "grouped", missing = [], notes: told = [], unread = [], room }: About,
): Outcome<"listing"> {
  const { text, truncation } = cutHead(
    names.length === 0 ? "No files" : layout === "lines" ? names.join("\n") : grouped(names),
    room,
  );
  const notes = [
    ...told,
    ...(late
      ? [`Stopped after ${seconds} s with ${names.length} found so far; narrow the pattern or give a longer timeout`]
      : []),
    ...(next === undefined ? [] : [`There are more: skip: ${next} brings the next page, or narrow the pattern`]),
    ...(missing.length > 0 ? [`Not there: ${missing.join(", ")}`] : []),
    ...(unread.length > 0 ? [`Not looked into: ${some(unread)}`] : []),
  ];
  const cut = late || next !== undefined || truncation !== undefined;
  return {
    kind: "listing",
    data: {
      path: scope,
      count: names.length,
      scopePath: scope,
      fileCount: names.length,
      files: [...names],
      ...(cut && { truncated: true }),
      ...(next !== undefined && { resultLimitReached: true }),
      ...(missing.length > 0 && { missingPaths: [...missing] }),
    },
    text,
    ...((truncation || notes.length > 0) && {
      meta: { ...(truncation && { truncation }), ...(notes.length > 0 && { notes }) },
    }),
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
