import type { Outcome } from "@pith/agent";
import { type LanguageName, languageOf, openLanguage, type SummaryRow, summarise, summaryLimits } from "@pith/host";
import { byteLength, countLines } from "@pith/kit";
import { headerOf, type Shown } from "./page.ts";

const maxRanges = 24;
/** What is longer than this without its bodies is better read page by page. */
const maxRows = 3000;
const maxLength = 256 * 1024;

/** Long code without the bodies of its functions; undefined when the text is better shown as it is. */
export async function showSummary(path: string, text: string, shown: Shown): Promise<Outcome<"page"> | undefined> {
  const language = languageOf(path, text);
  if (!language || !mayGain(text, language)) return undefined;
  const summary = summarise(text, await openLanguage(language));
  if (!summary || summary.elided.length === 0) return undefined;
  const { rows, elided, elidedLines, totalLines } = summary;
  const body = rows.map((row) => rowText(row, shown.display)).join("\n");
  if (rows.length > maxRows || body.length > maxLength) return undefined;
  const ranges = elided.slice(0, maxRanges).map(({ from, to }) => (from === to ? `${from}+1` : `${from}-${to}`));
  const more = elided.length > maxRanges ? " and others marked by ..." : "";
  return {
    kind: "page",
    data: {
      path: shown.name,
      totalLines,
      bytes: byteLength(text),
      summary: { lines: totalLines - elidedLines, elidedSpans: elided.length, elidedLines },
    },
    text: shown.display === "plain" ? body : `${headerOf(shown.name, shown.tag)}\n${body}`,
    meta: {
      source: shown.source,
      notes: [
        `${elidedLines} lines elided; re-read needed ranges, e.g. ${shown.name}:${ranges.join(",")}${more}`,
        ...(shown.notes ?? []),
      ],
    },
  };
}

/** Bodies are indented: where hardly a line is, parsing would cost more than the whole read and bring nothing. */
function mayGain(text: string, language: LanguageName): boolean {
  const lines = countLines(text);
  if (lines < summaryLimits.minLines) return false;
  // Prose has no bodies; its sections are found by reading lines, which costs nothing.
  return language === "markdown" || (text.match(/\n[ \t]/g)?.length ?? 0) * 5 >= lines;
}

function rowText(row: SummaryRow, display: Shown["display"]): string {
  if (row.show === "gap") return "...";
  const mark = display === "hashline" ? ":" : "|";
  const number = row.show === "merged" ? `${row.line}-${row.to}` : `${row.line}`;
  return display === "plain" ? row.text : `${number}${mark}${row.text}`;
}
