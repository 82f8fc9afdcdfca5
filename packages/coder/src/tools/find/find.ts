import { basename, dirname, join } from "node:path";
import { type Call, type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { type Env, listFiles, throttle } from "@pith/host";
import { fail, ok, type Result, showPath } from "@pith/kit";
import { oneLine, type Place, statOf } from "../../files/path.ts";
import type { Router } from "../../url/router.ts";
import { cutHead, some } from "../cut.ts";
import type { FindRg } from "../rg.ts";
import { pathList, readScopes, type Scope, scopePaths } from "../scope.ts";
import about from "./find.md" with { type: "text" };

const maxResults = 200;
const progressMs = 200;

const input = s.object({
  paths: pathList(),
  hidden: s.boolean().optional().describe("false: without dotfiles"),
  gitignore: s.boolean().optional().describe("false: also what git ignores"),
  limit: s.number().optional(),
  skip: s.int().min(0).optional(),
  timeout: s.number().optional(),
});
type Input = s.Infer<typeof input>;

export interface FindParts extends Place {
  env: Env;
  rg: FindRg;
  urls: Router;
}

export function find(parts: FindParts): Tool<Input> {
  return tool({
    name: "find",
    about,
    input,
    effect: "read",
    paths: ({ paths }) => scopePaths(parts, paths),
    run: (given, call) => run(parts, given, call),
  });
}

async function run(parts: FindParts, given: Input, call: Call): Promise<Outcome> {
  const { limit = maxResults, timeout = 5, skip = 0 } = given;
  if (!Number.isFinite(limit) || limit <= 0) return refusal("Limit must be a positive number");
  const read = readScopes(parts, given.paths);
  if (!read.ok) return refusal(read.kind === "empty" ? "`paths` must contain non-empty globs or paths" : read.message);
  const missing = read.value.filter((scope) => scope.is === "missing");
  if (missing.length === read.value.length)
    return refusal(`Path not found: ${missing.map((scope) => scope.given).join(", ")}`);
  const asked: Asked = {
    ...{ hidden: given.hidden === false ? "leave out" : "list", ignores: given.gitignore === false ? "off" : "on" },
    most: Math.min(maxResults, Math.max(1, Math.floor(limit))) + skip,
    until: performance.now() + Math.min(60, Math.max(0.5, timeout)) * 1000,
  };
  const found: Part[] = [];
  for (const scope of read.value) {
    if (scope.is === "missing") continue;
    const listed = await list(parts, scope, asked, call);
    if (!listed.ok) return refusal(listed.message);
    found.push(listed.value);
  }
  const all = found.flatMap(({ names }) => names);
  const names = [...new Map(all.map((one) => [one.name, one])).values()].sort(
    (a, b) => b.time - a.time || (a.name < b.name ? -1 : 1),
  );
  return outcome(names.map(({ name }) => name).slice(skip, asked.most), {
    scope: read.value.length === 1 && read.value[0]?.is === "directory" ? showPath(parts.cwd, read.value[0].path) : ".",
    next: names.length > asked.most || found.some(({ more }) => more) ? asked.most : undefined,
    seconds: Math.min(60, Math.max(0.5, timeout)),
    late: found.some(({ late }) => late),
    unread: found.flatMap(({ unread }) => unread ?? []),
    // A path that was given exactly comes back as one line.
    layout: read.value.some((scope) => scope.is === "directory") ? "grouped" : "lines",
    missing: missing.map((scope) => scope.given),
  });
}

interface Asked {
  hidden: "list" | "leave out";
  ignores: "on" | "off";
  most: number;
  /** Of `performance.now`. */
  until: number;
}

interface Named {
  /** Relative to the project; a directory ends in a slash. */
  name: string;
  time: number;
}

interface Part {
  names: Named[];
  more?: boolean;
  late?: boolean;
  /** What could not be looked into, and why. */
  unread?: string[];
}

async function list(
  parts: FindParts,
  scope: Exclude<Scope, { is: "missing" }>,
  { hidden, ignores, most, until }: Asked,
  call: Call,
): Promise<Result<Part, "path">> {
  if (scope.is === "url") return backingFile(parts, scope.href, call.signal);
  if (scope.is !== "directory")
    return one(
      scope.is === "special" ? scope.given : showPath(parts.cwd, scope.is === "file" ? scope.path : scope.archive.path),
      scope.is === "file" ? scope.path : "",
    );
  if (dirname(scope.path) === scope.path)
    return fail("path", `Searching from root directory '${scope.path}' is not allowed`);
  const rg = await parts.rg();
  if (!rg.ok) return fail("path", rg.message);
  const named = (path: string) => join(showPath(parts.cwd, scope.path), path);
  let sofar: readonly string[] = [];
  const telling = throttle(progressMs, () =>
    call.progress(outcome(sofar.slice(0, maxResults).map(named), { scope: showPath(parts.cwd, scope.path) })),
  );
  const listed = await listFiles({
    ...{ rg: rg.value, env: parts.env, root: scope.path, hidden, ignores, max: most, signal: call.signal },
    ...(scope.glob !== undefined && { glob: scope.glob }),
    ...(scope.except && { except: scope.except }),
    timeoutMs: Math.max(1, until - performance.now()),
    onFound(paths) {
      sofar = paths;
      telling.poke();
    },
  });
  telling.stop();
  if (!listed.ok)
    return fail("path", listed.kind === "unreadable" ? `${scope.given}: ${listed.message}` : listed.message);
  const { paths, times, more, end, unread } = listed.value;
  return ok({
    names: paths.map((path, i) => ({ name: named(path), time: times[i] ?? 0 })),
    more,
    late: end === "timeout",
    unread: unread.map(({ path, reason }) => `${named(path)} (${reason})`),
  });
}

const one = (name: string, path: string): Result<Part, "path"> =>
  ok({ names: [{ name, time: statOf(path)?.mtimeMs ?? 0 }] });

async function backingFile(parts: FindParts, href: string, signal: AbortSignal): Promise<Result<Part, "path">> {
  if (/[*?[{]/.test(href)) return fail("path", `Glob patterns are not supported for internal URLs: ${href}`);
  const found = await parts.urls.resolve(href, signal);
  if (!found.ok) return fail("path", found.message);
  return found.value.file === undefined ? fail("path", `${href} has no file behind it`) : one(href, found.value.file);
}

interface About {
  scope: string;
  /** Where the next page begins, when there is one. */
  next?: number | undefined;
  seconds?: number;
  late?: boolean;
  layout?: "grouped" | "lines";
  missing?: readonly string[];
  unread?: readonly string[];
}

function outcome(
  names: readonly string[],
  { scope, next, seconds, late = false, layout = "grouped", missing = [], unread = [] }: About,
): Outcome<"listing"> {
  const { text, truncation } = cutHead(
    names.length === 0
      ? "No files found matching pattern"
      : layout === "lines"
        ? names.map(oneLine).join("\n")
        : grouped(names.map(oneLine)),
  );
  const notes = [
    ...(late
      ? [
          `find timed out after ${seconds}s; returning ${names.length} partial matches — increase timeout or narrow pattern`,
        ]
      : []),
    ...(next === undefined ? [] : [`There are more: use skip=${next} for the next page, or narrow the pattern`]),
    ...(missing.length > 0 ? [`Skipped missing paths: ${missing.join(", ")}`] : []),
    ...(unread.length > 0 ? [`Not looked into: ${some(unread)}`] : []),
  ];
  const cut = late || next !== undefined || truncation !== undefined;
  return {
    kind: "listing",
    data: {
      ...{ path: scope, count: names.length, scopePath: scope, fileCount: names.length, files: [...names] },
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
    groups.set(folder, [...group, `${basename(name)}${name.endsWith("/") ? "/" : ""}`]);
  }
  return [...groups]
    .filter(([, group]) => group.length > 0)
    .map(([folder, group]) => (folder === "." ? group.join("\n") : `# ${folder}/\n${group.join("\n")}`))
    .join("\n\n");
}
