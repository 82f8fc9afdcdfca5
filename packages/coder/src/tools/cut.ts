import { maxShown, type Truncation } from "@pith/agent";
import { byteLength, countLines, headBytes } from "@pith/kit";

/** The beginning of a text that is too long to hand on, cut between lines, and what to tell about it. */
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

/** How many of these lines there is room for. */
export function fitting(lines: readonly string[], bytes: number): number {
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
/** The beginning of a line that is too long to show, no letter cut in half. */
export const cutLine = (line: string): string =>
  line.length > maxColumns ? `${line.slice(0, maxColumns).replace(/[\ud800-\udbff]$/, "")}…` : line;
