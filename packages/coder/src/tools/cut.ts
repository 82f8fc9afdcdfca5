import { maxShown, type Truncation } from "@pith/agent";
import { byteLength, countLines, headBytes } from "@pith/kit";

/** The most bytes that a look at files brings. */
export const maxRead = 32 * 1024;

/** The beginning of a text that is too long to hand on, cut between lines, and the facts about that. */
export function cutHead(text: string, maxBytes = maxShown): { text: string; truncation?: Truncation } {
  const totalBytes = byteLength(text);
  if (totalBytes <= maxBytes) return { text };
  const head = headBytes(text, maxBytes);
  const shown = head.slice(0, head.lastIndexOf("\n") + 1).trimEnd() || head;
  return {
    text: shown,
    truncation: {
      direction: "head",
      truncatedBy: "bytes",
      totalLines: countLines(text),
      totalBytes,
      outputLines: countLines(shown),
      outputBytes: byteLength(shown),
      maxBytes,
    },
  };
}

/** The number of lines that there is room for. */
export function countFitting(lines: readonly string[], bytes: number): number {
  let left = bytes;
  for (const [i, line] of lines.entries()) {
    left -= byteLength(line) + 1;
    if (left < 0) return i;
  }
  return lines.length;
}

/** The first of many names, for a note. */
export const some = (names: readonly string[], most = 10): string =>
  [...names.slice(0, most), ...(names.length > most ? [`… and ${names.length - most} more`] : [])].join(", ");

export const maxColumns = 512;
const beforeMatch = 128;

/** A line, cut where it is too long to show: its beginning, or the text around `at`, no letter in half. */
export function cutLine(line: string, at = 0): string {
  if (line.length <= maxColumns) return line;
  const from = at <= maxColumns - beforeMatch ? 0 : at - beforeMatch;
  const piece = line.slice(from, from + maxColumns).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${piece}${from + maxColumns < line.length ? "…" : ""}`;
}
