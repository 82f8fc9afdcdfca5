import type { MatchedLine } from "@pith/host";

/** Numbers lines as reads and edits do: for the program that searches, a return without a newline ends none. */
export function asCounted(text: string, lines: readonly MatchedLine[]): readonly MatchedLine[] {
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
