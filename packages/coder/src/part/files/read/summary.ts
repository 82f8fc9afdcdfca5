import type { Outcome } from "@pith/agent";
import {
  type LanguageName,
  type LineRange,
  languageOf,
  openLanguage,
  type Summary,
  type SummaryRow,
  summarise,
  summaryLimits,
} from "@pith/host";
import { byteLength, countLines, plural, sumOf } from "@pith/kit";
import { countFitting } from "../../../tools/cut.ts";
import { headerOf } from "../../../tools/display.ts";
import { maxLines, type PageInfo, prefixOf, type Room } from "./page.ts";

/**
 * Shows long code without the bodies of its functions, as much of each as there is room for; undefined when the text is
 * better info as it is. With `within`, only these lines.
 */
export async function showSummary(
  path: string,
  text: string,
  room: Room,
  info: PageInfo,
  within?: LineRange,
): Promise<Outcome<"page"> | undefined> {
  const language = languageOf(path, text);
  if (!language || !mayGain(text, language)) return undefined;
  const bytes = ({ rows }: Summary) => sumOf(rows, (row) => byteLength(rowText(row, info.display)) + 1);
  // First lines of bodies are welcome, and not worth much room.
  const summary = summarise(text, await openLanguage(language), {
    fits: (summary, level) => bytes(summary) <= (level === "opened" ? room.bytes / 8 : room.bytes),
    within,
    whole: countLines(text) > Math.min(maxLines, room.limit) || byteLength(text) > room.bytes ? "more" : "a page",
  });
  if (!summary || summary.elided.length === 0) return undefined;
  const { rows, rest } = cut(summary, room, info);
  info.onShown?.(rows.flatMap(linesOf).map((line) => [line, line]));
  const elided = rest ? [...summary.elided.filter(({ to }) => to < rest.from), rest] : summary.elided;
  const elidedLines = sumOf(elided, ({ from, to }) => to - from + 1);
  const body = rows.map((row) => rowText(row, info.display)).join("\n");
  const { totalLines } = summary;
  const asked = within ? Math.min(within.to, totalLines) - within.from + 1 : totalLines;
  return {
    kind: "page",
    data: {
      path: info.name,
      totalLines,
      bytes: byteLength(text),
      summary: { lines: asked - elidedLines, elidedSpans: elided.length, elidedLines },
    },
    text: info.display === "plain" ? body : `${headerOf(info.name, info.tag)}\n${body}`,
    meta: {
      source: info.source,
      notes: [
        `${plural(elidedLines, "line")} left out; read what you need${info.display === "plain" ? ":" : ", as"} ${rangesText(elided, room, info)}`,
        ...(rest ? [`${plural(rest.rows, "more row")} in ${info.name}:${rest.from}-${rest.to}`] : []),
        ...(info.notes ?? []),
      ],
    },
  };
}

/** The lines whose text a row has. */
function linesOf(row: SummaryRow): number[] {
  if (row.show === "gap") return [];
  return row.show === "line" ? [row.line] : [row.line, ...(row.first ? [row.line + 1] : []), row.to];
}

interface Rest extends LineRange {
  /** The number of rows that the rest of the summary would have had. */
  rows: number;
}

/** The rows that there is room for. */
function cut({ rows }: Summary, { bytes }: Room, { display }: PageInfo): { rows: SummaryRow[]; rest?: Rest } {
  const texts = rows.map((row) => rowText(row, display));
  const fit = countFitting(texts, bytes);
  const [first, last] = [rows[fit], rows.at(-1)];
  if (!first || !last) return { rows };
  const [from, to] = [first.show === "gap" ? first.from : first.line, last.show === "line" ? last.line : last.to];
  return {
    rows: [...rows.slice(0, fit), { show: "gap", from, to }],
    rest: { from, to, rows: rows.slice(fit).filter(({ show }) => show !== "gap").length },
  };
}

/** Ranges, ready to be asked for: the first of them where the rows tell the others by their numbers. */
function rangesText(elided: readonly LineRange[], { bytes }: Room, { name, display }: PageInfo): string {
  const ranges = elided.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  const few = display === "plain" ? Math.max(1, countFitting(ranges, bytes / 4)) : mostRanges;
  const more = ranges.length - few;
  const told = display === "plain" ? "" : ", each with its numbers in front of its row";
  return `${name}:${ranges.slice(0, few).join(",")}${more > 0 ? ` and ${more} more${told}` : ""}`;
}

const mostRanges = 3;

/** True for a text with indented lines, which bodies are: for others, parsing would cost more than the whole read. */
function mayGain(text: string, language: LanguageName): boolean {
  const lines = countLines(text);
  if (lines < summaryLimits.minLines) return false;
  // Prose has no bodies; its sections are found by reading lines, which costs nothing.
  return language === "markdown" || (text.match(/\n[ \t]/g)?.length ?? 0) * 5 >= lines;
}

function rowText(row: SummaryRow, display: PageInfo["display"]): string {
  if (display === "plain") return row.show === "gap" ? "..." : row.text;
  if (row.show === "line") return `${prefixOf(row.line, display)}${row.text}`;
  const last = prefixOf(row.to, display);
  return row.show === "gap" ? `${row.from}-${last}...` : `${row.line}-${last}${row.text}`;
}
