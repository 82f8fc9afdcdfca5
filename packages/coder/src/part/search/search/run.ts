import { type Intent, type Outcome, refusal } from "@pith/agent";
import type { MatchedLine } from "@pith/host";
import { byteLength, countLines, defined, plural, sumOf } from "@pith/kit";
import { cutHead, maxColumns, some } from "../../../tools/cut.ts";
import { metaOf } from "../../../tools/meta.ts";
import type { SearchInput, SearchOptions } from "../options.ts";
import { countMatches, shownHits } from "./block.ts";
import { maxWithContext, withConstructs } from "./construct.ts";
import { type Hit, look, type SearchAnswer, type SearchQuery, timeoutMs } from "./look.ts";
import { isCutOff } from "./pattern.ts";
import { findTargets, type SearchTargets } from "./target.ts";

const filesPerPage = 20;
const matchesPerFile = { many: 20, alone: 60 };
const maxMatches = 2000;

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
  return Number.isFinite(skip) && skip >= 0 ? undefined : "skip counts files that are skipped; it cannot be below 0";
}

async function run(
  options: SearchOptions,
  { pattern, i, gitignore, hidden, skip = 0 }: SearchInput,
  { there, missing, scope, notes }: SearchTargets,
  signal: AbortSignal,
): Promise<Outcome> {
  const first = Math.floor(skip);
  // One more than is shown whole, to know whether there is more; and enough for the page, however far down it is.
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
    const tally = same.find((hit) => hit.tally)?.tally;
    return { ...(same[0] as Hit), tally, lines: [...lines.values()].sort((a, b) => a.number - b.number) };
  });
  return joined.sort((a, b) => (a.name < b.name ? -1 : 1));
}

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
  const count = sumOf(page, countMatches);
  const context = count <= maxWithContext ? "shown" : "left out";
  const wanted =
    context === "shown"
      ? await withConstructs(options.files, page)
      : page.map((hit) => ({ ...hit, lines: hit.lines.filter(({ match }) => match) }));
  const shown = shownHits(options, wanted, context, single ? "alone" : "many");
  const counts = shown.map(({ name, count }) => ({ path: name, count }));
  const long = wanted.some((hit) => hit.lines.some((line) => line.text.length > maxColumns));
  const perFile = shown.some(({ isPart }) => isPart);
  const more = !single && hits.length > skip + filesPerPage;
  const { text, truncation } = fairly(
    shown.map((hit) => hit.text),
    options.room(),
  );
  const total = totalText(hits, answers);
  const notes = [
    ...about.notes,
    ...(more ? [`skip: ${skip + filesPerPage} brings the next page of files`] : []),
    ...passedOver(about),
  ];
  const head = context === "left out" || more || truncation ? `${total}\n\n` : "";
  const cut = truncation && { ...truncation, outputBytes: byteLength(head) + truncation.outputBytes };
  return {
    kind: "matches",
    data: defined({
      pattern,
      scopePath: scope,
      matchCount: sumOf(counts, ({ count }) => count),
      fileCount: shown.length,
      files: shown.map(({ name }) => name),
      fileMatches: counts,
      fileLimitReached: more ? true : undefined,
      perFileLimitReached: perFile ? true : undefined,
      linesTruncated: long ? true : undefined,
      truncated: truncation ? true : undefined,
      missingPaths: missing.length > 0 ? missing : undefined,
    }),
    text:
      shown.length > 0
        ? head + text
        : hits.length > 0
          ? `No matches after the first ${hits.length} files`
          : "No matches",
    meta: metaOf({ truncation: cut, limits: long ? { columnLimit: maxColumns } : undefined, notes }),
  };
}

/** The number of all matches, whether they are shown or not. */
function totalText(hits: readonly Hit[], answers: readonly SearchAnswer[]): string {
  const totals = answers.map(
    ({ total, hits: own }) => total ?? { matches: sumOf(own, countMatches), files: own.length },
  );
  // Several places may hold the same file.
  const overlap = sumOf(answers, (answer) => answer.hits.length) - hits.length;
  const [matches, files] = [sumOf(totals, (all) => all.matches), sumOf(totals, (all) => all.files) - overlap];
  const least = answers.some(({ total, end }) => total?.counted === "at least" || (end !== "complete" && !total));
  return `${least ? "At least " : ""}${plural(matches, "match", "matches")} in ${plural(files, "file")}`;
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
