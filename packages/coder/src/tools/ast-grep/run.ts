import { type Outcome, refusal } from "@pith/agent";
import { compilePattern, findMatches, type Language, type Match, mayMatch, type Pattern, withTree } from "@pith/host";
import { byteLength } from "@pith/kit";
import { oneLine } from "../../files/path.ts";
import { tagHeader } from "../../snapshot/header.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import { cutLine } from "../cut.ts";
import { issueLines, maxFiles, RuleBook } from "../rule.ts";
import { eachSource, findSources, type Source, type SourceParts } from "../source.ts";

/** Lines of one match that are shown; what a long one is, its beginning tells. */
const maxRows = 6;

export interface AstGrepParts extends SourceParts {
  env: Readonly<Record<string, string | undefined>>;
  snapshots: Snapshots;
  /** Whether what is shown carries the tags that anchored edits refer to. */
  tags: "shown" | "left out";
}

interface Asked {
  pats: readonly string[];
  paths: readonly string[];
  limit: number;
  skip: number;
}

export async function grep(parts: AstGrepParts, asked: Asked, signal: AbortSignal): Promise<Outcome> {
  const sources = await findSources(parts, asked.paths, asked.pats, signal);
  if (!sources.ok) return refusal(sources.message);
  return outcome(parts, await search(parts, asked.pats, sources.value.files, signal), asked, sources.value.notes);
}

interface Found {
  files: { source: Source; matches: Place[] }[];
  searched: number;
  issues: string[];
  /** More files match than may be shown. */
  full: boolean;
}

/** Where a match stands; what its holes stand for is nobody's business here. */
type Place = Pick<Match, "from" | "to">;

async function search(
  parts: AstGrepParts,
  pats: readonly string[],
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Found> {
  const book = new RuleBook<Pattern>(pats.map((pat) => (language) => compilePattern(pat, language)));
  const found: Found = { files: [], searched: 0, issues: [], full: false };
  const most = maxFiles(parts.env);
  for await (const source of eachSource(parts, paths, signal)) {
    found.searched++;
    const { language, rules } = await book.of(source.language);
    const likely = rules.filter((rule) => mayMatch(rule, source.text));
    if (likely.length === 0) continue;
    const matches = matchesIn(source, language, likely, found.issues);
    if (matches.length === 0) continue;
    if (found.files.length === most) {
      found.full = true;
      break;
    }
    found.files.push({ source, matches });
  }
  found.issues.unshift(...book.refused);
  return found;
}

function matchesIn({ name, text }: Source, language: Language, rules: readonly Pattern[], issues: string[]): Place[] {
  const found = withTree(text, language, (tree) => {
    const [issue] = tree.errors();
    if (issue) issues.push(`${name}:${issue.from.line + 1}: syntax error; matches may be missing`);
    return rules.flatMap((rule) => findMatches(rule, tree, text).map(({ from, to }): Place => ({ from, to })));
  });
  if (!found) issues.push(`${name}: cannot be parsed in a reasonable time; passed over`);
  return (found ?? []).sort((a, b) => a.from.index - b.from.index || b.to.index - a.to.index);
}

function outcome(
  parts: AstGrepParts,
  found: Found,
  { pats, paths, limit, skip }: Asked,
  notes: readonly string[],
): Outcome<"matches"> {
  const total = found.files.reduce((sum, file) => sum + file.matches.length, 0);
  const { blocks, counts } = page(parts, found, { limit, skip });
  const count = counts.reduce((sum, { count }) => sum + count, 0);
  const left = total > skip + count;
  const more = left ? [`${total} matches in all; go on with skip: ${skip + count}`] : [];
  const full = found.full ? ["Limit reached; narrow paths."] : [];
  const text = [
    blocks.length > 0 ? blocks.join("\n\n") : total > 0 ? `No matches after the first ${total}` : "No matches found",
    issueLines(found.issues).join("\n"),
  ];
  return {
    kind: "matches",
    data: {
      ...{ pattern: pats.join(" | "), scopePath: paths.join(", "), matchCount: count, fileCount: blocks.length },
      ...{ files: counts.map(({ path }) => path), fileMatches: counts },
      ...((left || found.full) && { truncated: true }),
    },
    text: text.filter((part) => part !== "").join("\n\n"),
    meta: { notes: [...more, ...full, ...notes] },
  };
}

const maxBytes = 45 * 1024;

/** As many matches as were asked for, as long as there is room for them: the next page goes on where this one ends. */
function page(parts: AstGrepParts, { files }: Found, { limit, skip }: Pick<Asked, "limit" | "skip">) {
  const blocks: string[] = [];
  const counts: { path: string; count: number }[] = [];
  let [passed, left, room] = [0, limit, maxBytes];
  for (const { source, matches } of files) {
    let shown = matches.slice(Math.max(0, skip - passed)).slice(0, left);
    passed += matches.length;
    if (shown.length === 0) continue;
    const wanted = shown.length;
    let text = block(parts, source, shown);
    while (byteLength(text) > room && shown.length > 1) {
      shown = shown.slice(0, Math.floor(shown.length / 2));
      text = block(parts, source, shown);
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

function block(parts: AstGrepParts, { path, name, text }: Source, matches: readonly Place[]): string {
  const lines = text.split("\n");
  const rows = new Map<number, string>();
  const mark = parts.tags === "shown" ? ":" : "|";
  for (const { from, to } of matches) {
    for (let line = from.line; line <= to.line; line++) {
      if (line - from.line === maxRows) {
        if (!rows.has(line)) rows.set(line, "...");
        break;
      }
      const own = (lines[line] ?? "").replace(/\r$/, "");
      const begins = line === from.line || rows.get(line)?.startsWith("*") === true;
      rows.set(line, `${begins ? "*" : " "}${line + 1}${mark}${cutLine(own)}`);
    }
  }
  const header =
    parts.tags === "shown" ? tagHeader(oneLine(name), parts.snapshots.mint(path, text)) : `# ${oneLine(name)}`;
  return [header, ...[...rows].sort(([a], [b]) => a - b).map(([, row]) => row)].join("\n");
}
