import type { Outcome } from "@pith/agent";
import { languageOf, openLanguage, type SummaryRow, summarise, summaryLimits } from "@pith/host";
import { byteLength } from "@pith/kit";
import { headerOf, type Shown } from "./page.ts";

const maxRanges = 24;

/** Long code without the bodies of its functions; undefined when the text is better shown as it is. */
export async function showSummary(path: string, text: string, shown: Shown): Promise<Outcome<"page"> | undefined> {
  if (text.length < summaryLimits.minLines) return undefined;
  const language = languageOf(path, text);
  if (!language) return undefined;
  const summary = summarise(text, await openLanguage(language));
  if (!summary || summary.elided.length === 0) return undefined;
  const { rows, elided, elidedLines, totalLines } = summary;
  const body = rows.map((row) => rowText(row, shown.display)).join("\n");
  const ranges = elided.slice(0, maxRanges).map(({ from, to }) => (from === to ? `${from}+1` : `${from}-${to}`));
  const more = elided.length > maxRanges ? " and others marked by ..." : "";
  return {
    kind: "page",
    data: { path: shown.name, totalLines, bytes: byteLength(text), summary: { lines: totalLines - elidedLines, elidedSpans: elided.length, elidedLines } },
    text: shown.display === "hashline" ? `${headerOf(shown.name, shown.tag)}\n${body}` : body,
    meta: {
      source: shown.source,
      notes: [`${elidedLines} lines elided; re-read needed ranges, e.g. ${shown.name}:${ranges.join(",")}${more}`, ...(shown.notes ?? [])],
    },
  };
}

function rowText(row: SummaryRow, display: Shown["display"]): string {
  if (row.show === "gap") return "...";
  const mark = display === "hashline" ? ":" : "|";
  const number = row.show === "merged" ? `${row.line}-${row.to}` : `${row.line}`;
  return display === "plain" ? row.text : `${number}${mark}${row.text}`;
}
