import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { type FoundLine, readWhole } from "@pith/host";
import { tagHeader } from "../../snapshot/header.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import { cutHead } from "../cut.ts";
import { pathList, readScopes, type Scope, scopePaths } from "../scope.ts";
import { type Answer, type Hit, type LookParts, look, type Question, timeoutMs } from "./look.ts";
import about from "./search.md" with { type: "text" };

const filesPerPage = 20;
const matchesPerFile = { many: 20, one: 200 };
const maxColumns = 512;
const maxTagged = 4 * 1024 * 1024;

const input = s.object({
  pattern: s.string(),
  paths: pathList().describe("The project if absent").optional(),
  i: s.boolean().optional().describe("Ignore case"),
  gitignore: s.boolean().optional().describe("false: also what git ignores"),
  skip: s.number().optional(),
});
type Input = s.Infer<typeof input>;

export interface SearchOptions {
  contextBefore: number;
  contextAfter: number;
}

export interface SearchParts extends LookParts, SearchOptions {
  snapshots: Snapshots;
  display: "hashline" | "numbered" | "plain";
}

export function search(parts: SearchParts): Tool<Input> {
  return tool({
    name: "search",
    about,
    input,
    effect: "read",
    paths: ({ paths = ["."] }) => scopePaths(parts, paths),
    run: (given, { signal }) => run(parts, given, signal),
  });
}

async function run(parts: SearchParts, { pattern, paths = ["."], i, gitignore, skip = 0 }: Input, signal: AbortSignal): Promise<Outcome> {
  if (pattern.trim() === "") return refusal("Pattern must not be empty");
  if (!Number.isFinite(skip) || skip < 0) return refusal("Skip must be a non-negative number");
  const read = readScopes(parts, paths);
  if (!read.ok) return refusal(read.kind === "empty" ? "`paths` must contain non-empty paths or globs" : read.message);
  const scopes = read.value;
  const missing: Scope[] = scopes.filter((scope) => scope.is === "missing" || scope.is === "special");
  const misplaced = scopes.map(rangeProblem).find((problem) => problem !== undefined);
  if (misplaced) return refusal(misplaced);
  if (missing.length === scopes.length)
    return refusal(missing.map((scope) => (scope.is === "special" ? `${scope.given}: is not a regular file` : `Path not found: ${scope.given}`)).join("\n"));
  const question: Question = {
    pattern,
    ...(i && { ignoreCase: true }),
    ignores: gitignore === false ? "off" : "on",
    context: { before: parts.contextBefore, after: parts.contextAfter },
    // One more than is shown, to know whether there is more.
    perFile: isSingle(scopes) ? (scopes[0]?.ranges.length ? 2000 : matchesPerFile.one + 1) : matchesPerFile.many + 1,
    signal,
  };
  const answers: Answer[] = [];
  for (const scope of scopes) {
    if (missing.includes(scope)) continue;
    const answer = await look(parts, scope, question);
    if (!answer.ok) return refusal(answer.message);
    answers.push(answer.value);
  }
  const unreadable = answers.flatMap((answer) => answer.unreadable);
  const hits = unique(answers.flatMap((answer) => answer.hits)).filter((hit) => hit.lines.some((line) => line.match));
  if (hits.length === 0 && unreadable.length > 0 && scopes.every((scope) => scope.is === "archive"))
    return refusal(`Cannot search archive member(s): ${unreadable.join(", ")}`);
  return outcome(parts, hits, { pattern, skip: Math.floor(skip), single: isSingle(scopes), missing: missing.map(({ given }) => given), unreadable, answers });
}

/** One document is shown longer, and is not paged by files. */
const isSingle = (scopes: readonly Scope[]): boolean => scopes.length === 1 && scopes[0]?.is === "file";

function rangeProblem(scope: Scope): string | undefined {
  if (scope.ranges.length === 0) return undefined;
  if ((scope.is === "directory" || scope.is === "missing") && scope.glob !== undefined)
    return `Line-range selector requires a single file, not a glob: ${scope.given}`;
  if (scope.is === "directory") return `Line-range selector requires a single file: ${scope.given} is a directory`;
  return scope.is === "missing" ? `Path not found for line-range selector: ${scope.given}` : undefined;
}

function unique(hits: readonly Hit[]): Hit[] {
  const byName = new Map<string, Hit>();
  for (const hit of hits) if (!byName.has(hit.name)) byName.set(hit.name, hit);
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface About {
  pattern: string;
  skip: number;
  single: boolean;
  missing: string[];
  unreadable: string[];
  answers: readonly Answer[];
}

function outcome(parts: SearchParts, hits: readonly Hit[], about: About): Outcome<"matches"> {
  const { pattern, skip, single, missing, unreadable, answers } = about;
  const page = single ? hits : hits.slice(skip, skip + filesPerPage);
  const most = single ? matchesPerFile.one : matchesPerFile.many;
  const shown = page.map((hit) => firstMatches(hit, most));
  const counts = shown.map((hit) => ({ path: hit.name, count: hit.lines.filter((line) => line.match).length }));
  const long = shown.some((hit) => hit.lines.some((line) => line.text.length > maxColumns));
  const perFile = page.some((hit) => hit.lines.filter((line) => line.match).length > most);
  const more = !single && hits.length > skip + filesPerPage;
  const { text, truncation } = cutHead(fairly(shown.map((hit) => block(parts, hit))));
  const notes = [
    ...(more
      ? [`${hits.length}${answers.some(({ end }) => end === "enough") ? " or more" : ""} files match. Use skip=${skip + filesPerPage} for the next page`]
      : []),
    ...(perFile ? [`Only the first ${most} matches of a file are shown; give one file to see more`] : []),
    ...(missing.length > 0 ? [`Skipped missing paths: ${missing.join(", ")}`] : []),
    ...(unreadable.length > 0 ? [`Not text, not searched: ${unreadable.slice(0, 20).join(", ")}`] : []),
    ...(answers.some(({ end }) => end === "timeout") ? [`Stopped after ${timeoutMs / 1000} seconds; narrow the paths`] : []),
    ...new Set(answers.flatMap((answer) => answer.notes)),
  ];
  return {
    kind: "matches",
    data: {
      pattern,
      files: shown.length,
      count: counts.reduce((sum, { count }) => sum + count, 0),
      fileMatches: counts,
      ...(more && { fileLimitReached: true }),
      ...(perFile && { perFileLimitReached: true }),
      ...(long && { linesTruncated: true }),
      ...(truncation && { truncated: true }),
      ...(missing.length > 0 && { missingPaths: missing }),
    },
    text: shown.length === 0 ? "No matches found" : text,
    meta: { ...(truncation && { truncation }), ...(long && { limits: { columnLimit: maxColumns } }), ...(notes.length > 0 && { notes }) },
  };
}

const maxBytes = 50 * 1024;

/** When not everything fits, each file loses from its end until all do: the first ones must not push the last ones out. */
function fairly(blocks: readonly string[]): string {
  const share = maxBytes / Math.max(1, blocks.length);
  const small = blocks.filter((text) => text.length <= share);
  const room = (maxBytes - small.reduce((sum, text) => sum + text.length, 0)) / Math.max(1, blocks.length - small.length);
  const whole = blocks.reduce((sum, text) => sum + text.length + 2, 0) <= maxBytes;
  return blocks.map((text) => (whole || text.length <= share ? text : cutHead(text, Math.floor(room) - 4).text)).join("\n\n");
}

/** The first matches, with the lines around them. */
function firstMatches(hit: Hit, most: number): Hit {
  const beyond = hit.lines.filter((line) => line.match)[most];
  if (!beyond) return hit;
  return { ...hit, lines: hit.lines.slice(0, hit.lines.indexOf(beyond)) };
}

function block(parts: SearchParts, { name, path, lines }: Hit): string {
  const rows = [header(parts, name, path)];
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (before && line.number > before.number + 1) rows.push("...");
    rows.push(row(line, parts.display === "hashline" ? ":" : "|"));
  }
  return rows.join("\n");
}

const row = ({ match, number, text }: FoundLine, mark: string): string =>
  `${match ? "*" : " "}${number}${mark}${text.length > maxColumns ? `${text.slice(0, maxColumns)}…` : text}`;

/** With the tag of the whole file, so that an edit can follow at once. */
function header({ snapshots, display }: SearchParts, name: string, path: string | undefined): string {
  if (display !== "hashline") return `# ${name}`;
  const whole = path === undefined ? undefined : readWhole(path, maxTagged);
  return path !== undefined && whole?.ok ? tagHeader(name, snapshots.mint(path, whole.value.bytes)) : `[${name}]`;
}
