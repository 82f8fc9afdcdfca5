import type { Outcome } from "@pith/agent";
import {
  type CodePattern,
  compilePattern,
  findMatches,
  type Language,
  type Match,
  mayMatch,
  withTree,
} from "@pith/host";
import { byteLength, defined, sumOf } from "@pith/kit";
import type { Snapshots } from "../../../snapshot/snapshot.ts";
import { cutLine } from "../../../tools/cut.ts";
import { headerOf } from "../../../tools/display.ts";
import { issueLines, maxFiles, RuleBook } from "../rule.ts";
import { eachSource, type SourceOptions, type Sources, type SourceText } from "../source.ts";
import { placesOf } from "../unparsed.ts";

/** Lines of a match that are shown; the beginning of a long one tells what it is. */
const maxRows = 6;

export interface AstGrepOptions extends SourceOptions {
  env: Readonly<Record<string, string | undefined>>;
  snapshots: Snapshots;
  /** With "shown", answers carry the tags that anchored edits refer to. */
  tags: "shown" | "left out";
  /** The most bytes of an answer; the model in charge decides. */
  room(): number;
}

interface Asked {
  pats: readonly string[];
  paths: readonly string[];
  limit: number;
  skip: number;
}

export async function grep(
  options: AstGrepOptions,
  { pats, paths, limit, skip }: Asked,
  { files: all, notes }: Sources,
  signal: AbortSignal,
): Promise<Outcome<"matches">> {
  const { files, issues, full } = await search(options, pats, all, signal);
  const total = sumOf(files, ({ matches }) => matches.length);
  const { blocks, counts } = page(options, files, { limit, skip });
  const count = sumOf(counts, ({ count }) => count);
  const left = total > skip + count;
  const more = left ? [`${total} matches in all; go on with skip: ${skip + count}`] : [];
  const cut = full ? ["More files match than are looked at; narrow paths"] : [];
  const text = [
    blocks.length > 0 ? blocks.join("\n\n") : total > 0 ? `No matches after the first ${total}` : "No matches",
    issueLines(issues).join("\n"),
  ];
  return {
    kind: "matches",
    data: defined({
      pattern: pats.join(" | "),
      scopePath: paths.join(", "),
      matchCount: count,
      fileCount: blocks.length,
      files: counts.map(({ path }) => path),
      fileMatches: counts,
      truncated: left || full ? true : undefined,
    }),
    text: text.filter((part) => part !== "").join("\n\n"),
    meta: { notes: [...more, ...cut, ...notes] },
  };
}

interface Matches {
  files: { source: SourceText; matches: Spot[] }[];
  issues: string[];
  /** True if more files match than may be shown. */
  full: boolean;
}

type Spot = Pick<Match, "from" | "to">;

async function search(
  options: AstGrepOptions,
  pats: readonly string[],
  files: Sources["files"],
  signal: AbortSignal,
): Promise<Matches> {
  const book = new RuleBook<string, CodePattern>(pats, compilePattern);
  const all: Matches = { files: [], issues: [], full: false };
  const most = maxFiles(options.env);
  for await (const source of eachSource(options.files, files, signal)) {
    const { language, rules } = await book.of(source.language);
    const likely = rules.filter((rule) => mayMatch(rule, source.text));
    if (likely.length === 0) continue;
    const matches = matchesIn(source, language, likely, all.issues);
    if (matches.length === 0) continue;
    if (all.files.length === most) {
      all.full = true;
      break;
    }
    all.files.push({ source, matches });
  }
  all.issues.unshift(...book.refused);
  return all;
}

function matchesIn(source: SourceText, language: Language, rules: readonly CodePattern[], issues: string[]): Spot[] {
  const { name, text } = source;
  const spots = withTree(text, language, (tree) => {
    const unread = tree.errors();
    if (unread.length > 0)
      issues.push(`${name}: the grammar does not know ${placesOf(unread)}; matches may be missing`);
    return rules.flatMap((rule) => findMatches(rule, tree, text).map(({ from, to }): Spot => ({ from, to })));
  });
  if (!spots) issues.push(`${name}: cannot be parsed in a reasonable time; skipped`);
  return (spots ?? []).sort((a, b) => a.from.index - b.from.index || b.to.index - a.to.index);
}

/** As many matches as were asked for and there is room for: the next page goes on where this one ends. */
function page(options: AstGrepOptions, files: Matches["files"], { limit, skip }: Pick<Asked, "limit" | "skip">) {
  const blocks: string[] = [];
  const counts: { path: string; count: number }[] = [];
  // With room for the words beside the matches.
  let [passed, left, room] = [0, limit, Math.floor(options.room() * 0.9)];
  for (const { source, matches } of files) {
    let shown = matches.slice(Math.max(0, skip - passed)).slice(0, left);
    passed += matches.length;
    if (shown.length === 0) continue;
    const wanted = shown.length;
    let text = block(options, source, shown);
    while (byteLength(text) > room && shown.length > 1) {
      shown = shown.slice(0, Math.floor(shown.length / 2));
      text = block(options, source, shown);
    }
    if (byteLength(text) > room && blocks.length > 0) break;
    blocks.push(text);
    counts.push({ path: source.name, count: shown.length });
    left -= shown.length;
    room -= byteLength(text);
    if (shown.length < wanted) break;
  }
  return { blocks, counts };
}

function block(options: AstGrepOptions, { path, name, text }: SourceText, matches: readonly Spot[]): string {
  const lines = text.split("\n");
  const rows = new Map<number, string>();
  const mark = options.tags === "shown" ? ":" : "|";
  for (const { from, to } of matches) {
    for (let line = from.line; line <= to.line; line++) {
      if (line - from.line === maxRows) {
        if (!rows.has(line)) rows.set(line, "...");
        break;
      }
      const text = (lines[line] ?? "").replace(/\r$/, "");
      const begins = line === from.line || rows.get(line)?.startsWith("*") === true;
      rows.set(line, `${begins ? "*" : " "}${line + 1}${mark}${cutLine(text)}`);
    }
  }
  const seen = [...rows.keys()].map((line) => [line + 1, line + 1] as const);
  const header = headerOf(name, options.tags === "shown" ? options.snapshots.mint(path, text, { seen }) : undefined);
  return [header, ...[...rows].sort(([a], [b]) => a - b).map(([, row]) => row)].join("\n");
}
