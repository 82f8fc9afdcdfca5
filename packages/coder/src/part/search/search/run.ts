import { type Intent, type Outcome, refusal } from "@pith/agent";
import type { MatchedLine } from "@pith/host";
import { byteLength, countLines, defined, realPath, sumOf } from "@pith/kit";
import { isByteWise } from "../../../snapshot/decode.ts";
import { cutHead, cutLine, maxColumns, some } from "../../../tools/cut.ts";
import { headerOf, markOf } from "../../../tools/display.ts";
import { metaOf } from "../../../tools/meta.ts";
import type { SearchInput, SearchOptions } from "../options.ts";
import { maxWithContext, withConstructs } from "./construct.ts";
import { type Hit, look, type SearchAnswer, type SearchQuery, timeoutMs } from "./look.ts";
import { isCutOff } from "./pattern.ts";
import { findTargets, type SearchTargets } from "./target.ts";

const filesPerPage = 20;
const matchesPerFile = { many: 20, alone: 200 };
const maxMatches = 2000;
const maxTagged = 4 * 1024 * 1024;

export async function prepareSearch(
  options: SearchOptions,
  request: SearchInput,
  signal: AbortSignal,
): Promise<Intent | Outcome> {
  const problem = problemOf(request);
  if (problem) return refusal(problem);
  const targets = await findTargets(options.files, options.urls, request.paths ?? ["."], signal);
  if (!targets.ok) return refusal(targets.message);
  return {
    effect: "read",
    paths: targets.value.there.flatMap((target) =>
      target.is === "addresses" ? target.addresses.flatMap(({ at }) => at ?? []) : [target.at],
    ),
    run: (call) => run(options, request, targets.value, call.signal),
  };
}

function problemOf({ pattern, skip = 0 }: SearchInput): string | undefined {
  if (pattern.trim() === "") return "The pattern is empty";
  if (isCutOff(pattern)) return "The pattern ends in the middle of an escape; write \\\\ for a backslash";
  return Number.isFinite(skip) && skip >= 0
    ? undefined
    : "skip counts files that are passed over; it cannot be below 0";
}

async function run(
  options: SearchOptions,
  { pattern, i, gitignore, hidden, skip = 0 }: SearchInput,
  { there, missing, scope, notes }: SearchTargets,
  signal: AbortSignal,
): Promise<Outcome> {
  const first = Math.floor(skip);
  // One more than is shown, to know whether there is more; and enough of them for the page, however far down it is.
  const perFile = { alone: matchesPerFile.alone + 1, many: matchesPerFile.many + 1 };
  const query: SearchQuery = {
    pattern,
    ignores: gitignore === false ? "off" : "on",
    hidden: hidden === false ? "leave out" : "search",
    ignoreCase: i,
    context: { before: options.contextBefore, after: options.contextAfter },
    perFile,
    max: maxMatches + first * perFile.many,
    alone: there.length + missing.length === 1,
    signal,
  };
  const answers: SearchAnswer[] = [];
  for (const target of there) {
    const answer = await look(options.files, target, query);
    if (!answer.ok) return refusal(answer.message);
    answers.push(answer.value);
  }
  const unreadable = answers.flatMap((answer) => answer.unreadable);
  const hits = unique(answers.flatMap((answer) => answer.hits)).filter((hit) => countMatches(hit) > 0);
  const onlyArchives = missing.length === 0 && there.every((target) => target.is === "archive");
  if (hits.length === 0 && unreadable.length > 0 && onlyArchives)
    return refusal(`Nothing there is text: ${unreadable.join(", ")}`);
  const made = await outcome(options, hits, { pattern, scope, skip: first, missing, unreadable, answers, notes });
  const addresses = there.flatMap((target) => (target.is === "addresses" ? target.addresses : []));
  const origin = addresses.find((address) => address.origin)?.origin;
  return origin ? { ...made, meta: { ...made.meta, origin } } : made;
}

/** Each document once, sorted, with the lines that were found in it by several targets. */
function unique(hits: readonly Hit[]): Hit[] {
  const byName = Map.groupBy(hits, ({ name }) => name);
  const joined = [...byName.values()].map((same): Hit => {
    const lines = new Map<number, MatchedLine>();
    for (const line of same.flatMap((hit) => hit.lines))
      if (line.match || !lines.has(line.number)) lines.set(line.number, line);
    return { ...(same[0] as Hit), lines: [...lines.values()].sort((a, b) => a.number - b.number) };
  });
  return joined.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const countMatches = ({ lines }: Hit): number => lines.filter(({ match }) => match).length;

interface About {
  pattern: string;
  scope: string;
  skip: number;
  missing: string[];
  unreadable: string[];
  answers: readonly SearchAnswer[];
  notes: readonly string[];
}

async function outcome(options: SearchOptions, hits: readonly Hit[], about: About): Promise<Outcome<"matches">> {
  const { pattern, scope, skip, missing, answers } = about;
  const single = answers.every((answer) => answer.single);
  const page = single ? hits : hits.slice(skip, skip + filesPerPage);
  const most = single ? matchesPerFile.alone : matchesPerFile.many;
  const first = page.map((hit) => firstMatches(hit, most));
  const count = sumOf(first, countMatches);
  const context = count <= maxWithContext ? "shown" : "left out";
  const shown =
    context === "shown"
      ? await withConstructs(options.files, first)
      : first.map((hit) => ({ ...hit, lines: hit.lines.filter(({ match }) => match) }));
  const counts = shown.map((hit) => ({ path: hit.name, count: countMatches(hit) }));
  const long = shown.some((hit) => hit.lines.some((line) => line.text.length > maxColumns));
  const perFile = page.some((hit) => countMatches(hit) > most);
  const more = !single && hits.length > skip + filesPerPage;
  const blocks = shown.map((hit) => block(options, hit, context));
  const { text, truncation } = fairly(blocks, options.room());
  const least = answers.some(({ end }) => end === "enough") ? " or more" : "";
  const advice = single ? "give lines of it to see others" : "give one file to see more";
  const notes = [
    ...about.notes,
    ...(more ? [`${hits.length}${least} files match. skip: ${skip + filesPerPage} brings the next page`] : []),
    ...(perFile ? [`Only the first ${most} matches of a file are shown; ${advice}`] : []),
    ...passedOver(about),
  ];
  return {
    kind: "matches",
    data: defined({
      pattern,
      scopePath: scope,
      matchCount: count,
      fileCount: shown.length,
      files: shown.map(({ name }) => name),
      fileMatches: counts,
      fileLimitReached: more ? true : undefined,
      perFileLimitReached: perFile ? true : undefined,
      linesTruncated: long ? true : undefined,
      truncated: truncation ? true : undefined,
      missingPaths: missing.length > 0 ? missing : undefined,
    }),
    text: shown.length > 0 ? text : hits.length > 0 ? `No matches after the first ${hits.length} files` : "No matches",
    meta: metaOf({ truncation, limits: long ? { columnLimit: maxColumns } : undefined, notes }),
  };
}

/** Notes about everything that was not searched. */
const passedOver = ({ missing, unreadable, answers }: About): string[] => [
  ...(missing.length > 0 ? [`Not there: ${missing.join(", ")}`] : []),
  ...(unreadable.length > 0 ? [`Not text, not searched: ${some(unreadable)}`] : []),
  ...(answers.some(({ end }) => end === "timeout")
    ? [`Stopped after ${timeoutMs / 1000} seconds; narrow the paths`]
    : []),
  ...new Set(answers.flatMap((answer) => answer.notes)),
];

/** Cuts each file at its end until all fit: the first ones must not push the last ones out. */
function fairly(blocks: readonly string[], bytes: number): ReturnType<typeof cutHead> {
  const whole = blocks.join("\n\n");
  const { truncation } = cutHead(whole, bytes);
  if (!truncation) return { text: whole };
  const sizes = blocks.map((text) => byteLength(text) + 2);
  const small = sizes.filter((size) => size <= bytes / sizes.length);
  const each = Math.floor((bytes - sumOf(small, (size) => size)) / (sizes.length - small.length));
  const cut = blocks.map((block) => cutHead(block, each - "\n...".length - 2));
  const text = cut.map(({ text, truncation }) => (truncation ? `${text}\n...` : text)).join("\n\n");
  return { text, truncation: { ...truncation, outputLines: countLines(text), outputBytes: byteLength(text) } };
}

/** The first matches, with the lines around them. */
function firstMatches(hit: Hit, most: number): Hit {
  const beyond = hit.lines.filter((line) => line.match)[most];
  if (!beyond) return hit;
  return { ...hit, lines: hit.lines.slice(0, hit.lines.indexOf(beyond)) };
}

function block(options: SearchOptions, hit: Hit, context: "shown" | "left out"): string {
  const { header, lines } = withTag(options, hit);
  const rows = [header];
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (context === "shown" && before && line.number > before.number + 1) rows.push("...");
    rows.push(row(line, markOf(options.display)));
  }
  return rows.join("\n");
}

const row = ({ match, number, text, at }: MatchedLine, mark: string): string =>
  `${match ? "*" : " "}${number}${mark}${cutLine(text, at)}`;

/** The header with the tag of the whole file, so that an edit can follow at once; the lines decoded as the file is. */
function withTag(
  { files, snapshots, display }: SearchOptions,
  { name, file, lines }: Hit,
): { header: string; lines: readonly MatchedLine[] } {
  const odd = lines.some(({ text }) => text.includes("\ufffd") || /\\x[89a-f][\da-f]/.test(text));
  // A path that has become a link since it was searched is not the file that was found.
  const wanted = file !== undefined && (display === "hashline" || odd) && realPath(file.real) === file.real;
  const whole = wanted ? files.read(file.real, maxTagged) : undefined;
  const bytes = whole?.ok ? whole.value.bytes : undefined;
  const decoded = file && bytes && (odd || bytes.includes("\r")) ? snapshots.decode(file.path, bytes) : undefined;
  const text = decoded?.ok ? decoded.value.text : "";
  const texts = decoded?.ok && (decoded.value.bad || isByteWise(decoded.value.encoding)) ? text.split(/\r?\n/) : [];
  const tag = file && bytes && display === "hashline" ? snapshots.mint(file.path, bytes) : undefined;
  const read = lines.map((line) => ({ ...line, text: texts[line.number - 1] ?? line.text }));
  return { header: headerOf(name, tag), lines: asCounted(text, read) };
}

/** Numbers lines as reads and edits do: for the program that searches, a return without a newline ends none. */
function asCounted(text: string, lines: readonly MatchedLine[]): readonly MatchedLine[] {
  if (!/\r(?!\n)/.test(text)) return lines;
  const rows = text.split("\n").map((row) => row.replace(/\r$/, "").split("\r"));
  const before = [0];
  for (const [i, parts] of rows.entries()) before.push((before[i] ?? 0) + parts.length);
  return lines.flatMap((line) =>
    line.text
      .replace(/\r$/, "")
      .split("\r")
      .map((part, i) => ({ ...line, number: (before[line.number - 1] ?? 0) + i + 1, text: part })),
  );
}
