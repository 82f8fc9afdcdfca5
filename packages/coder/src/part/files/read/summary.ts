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
import { byteLength, countLines, plural } from "@pith/kit";
import { countFitting } from "../../../tools/cut.ts";
import { headerOf } from "../../../tools/display.ts";
import { maxLines, prefixOf, type Room, type Shown } from "./page.ts";

/**
 * Long code without the bodies of its functions, as much of each as there is room for; undefined when the text is
 * better shown as it is. `within`: only of these lines.
 */
export async function showSummary(
  path: string,
  text: string,
  room: Room,
  shown: Shown,
  within?: LineRange,
): Promise<Outcome<"page"> | undefined> {
  const language = languageOf(path, text);
  if (!language || !mayGain(text, language)) return undefined;
  const bytes = (summary: Summary) =>
    summary.rows.reduce((sum, row) => sum + byteLength(rowText(row, shown.display)) + 1, 0);
  // First lines of bodies are welcome, and not worth much room.
  const summary = summarise(text, await openLanguage(language), {
    fits: (summary, level) => bytes(summary) <= (level === "opened" ? room.bytes / 4 : room.bytes),
    ...(within && { within }),
    whole: countLines(text) > Math.min(maxLines, room.limit) || byteLength(text) > room.bytes ? "more" : "a page",
  });
  if (!summary || summary.elided.length === 0) return undefined;
  const { rows, rest } = cut(summary, room, shown);
  const elided = rest ? [...summary.elided.filter(({ to }) => to < rest.from), rest] : summary.elided;
  const elidedLines = elided.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const body = rows.map((row) => rowText(row, shown.display)).join("\n");
  const { totalLines } = summary;
  const asked = within ? Math.min(within.to, totalLines) - within.from + 1 : totalLines;
  return {
    kind: "page",
    data: {
      path: shown.name,
      totalLines,
      bytes: byteLength(text),
      summary: { lines: asked - elidedLines, elidedSpans: elided.length, elidedLines },
    },
    text: shown.display === "plain" ? body : `${headerOf(shown.name, shown.tag)}\n${body}`,
    meta: {
      source: shown.source,
      notes: [
        `${plural(elidedLines, "line")} left out; read what you need: ${rangesText(elided, room, shown)}`,
        ...(rest ? [`${plural(rest.rows, "more row")} in ${shown.name}:${rest.from}-${rest.to}`] : []),
        ...(shown.notes ?? []),
      ],
    },
  };
}

interface Rest extends LineRange {
  /** How many rows the rest of the summary would have had. */
  rows: number;
}

/** The rows that there is room for. */
function cut({ rows }: Summary, { bytes }: Room, { display }: Shown): { rows: SummaryRow[]; rest?: Rest } {
  const fit = countFitting(
    rows.map((row) => rowText(row, display)),
    bytes,
  );
  const [first, last] = [rows[fit], rows.at(-1)];
  if (!first || !last) return { rows };
  const [from, to] = [first.show === "gap" ? first.from : first.line, last.show === "line" ? last.line : last.to];
  return {
    rows: [...rows.slice(0, fit), { show: "gap", from, to }],
    rest: { from, to, rows: rows.slice(fit).filter(({ show }) => show !== "gap").length },
  };
}

/** Every range, ready to be asked for; where they are very many, the rows themselves tell the others. */
function rangesText(elided: readonly LineRange[], { bytes }: Room, { name, display }: Shown): string {
  const ranges = elided.map(({ from, to }) => (from === to ? `${from}+1` : `${from}-${to}`));
  const listed = ranges.slice(0, Math.max(1, countFitting(ranges, display === "plain" ? bytes / 4 : bytes / 32)));
  const more = ranges.length - listed.length;
  return `${name}:${listed.join(",")}${more > 0 ? ` and ${more} more, each with its numbers in front of its row` : ""}`;
}

/** Bodies are indented: where hardly a line is, parsing would cost more than the whole read and bring nothing. */
function mayGain(text: string, language: LanguageName): boolean {
  const lines = countLines(text);
  if (lines < summaryLimits.minLines) return false;
  // Prose has no bodies; its sections are found by reading lines, which costs nothing.
  return language === "markdown" || (text.match(/\n[ \t]/g)?.length ?? 0) * 5 >= lines;
}

function rowText(row: SummaryRow, display: Shown["display"]): string {
  if (display === "plain") return row.show === "gap" ? "..." : row.text;
  if (row.show === "line") return `${prefixOf(row.line, display)}${row.text}`;
  const last = prefixOf(row.to, display);
  return row.show === "gap" ? `${row.from}-${last}...` : `${row.line}-${last}${row.text}`;
}
