import type { Theme } from "../theme/theme.ts";
import { printable } from "./clean.ts";
import { type DiffLine, type DiffSegment, wordDiff } from "./diff.ts";
import { fit, pad } from "./width.ts";
import { wrap } from "./wrap.ts";

export type DiffLayout = "inline" | "split" | "auto";
/** Columns from which on `auto` puts old and new side by side. */
const wide = 140;
/** Columns that half of a window needs beside its numbers to hold a line of code. */
const narrowest = 12;

/** A diff as rows. Signs stand in the margin beside the colours. */
export function diffRows(
  lines: readonly DiffLine[],
  columns: number,
  theme: Theme,
  layout: DiffLayout = "auto",
): string[] {
  const digits = String(lines.reduce((top, { before = 0, after = 0 }) => Math.max(top, before, after), 0)).length;
  const fits = columns >= 2 * (digits + narrowest);
  const split = (layout === "split" && fits) || (layout === "auto" && columns >= wide);
  const look = { theme, digits, columns };
  return pairs(lines).flatMap((pair) => (split ? splitRows(pair, look) : inlineRows(pair, look)));
}

interface DiffLook {
  theme: Theme;
  digits: number;
  columns: number;
}

/** A run of removed lines and the run of added lines after it: line n of one replaces line n of the other. */
interface Pair {
  readonly removed: readonly DiffLine[];
  readonly added: readonly DiffLine[];
  readonly other?: DiffLine;
}

function pairs(lines: readonly DiffLine[]): Pair[] {
  const out: Pair[] = [];
  for (let at = 0; at < lines.length; ) {
    const take = (kind: DiffLine["kind"]) => {
      const start = at;
      while (lines[at]?.kind === kind) at++;
      return lines.slice(start, at);
    };
    const removed = take("removed");
    const added = take("added");
    if (removed.length + added.length > 0) out.push({ removed, added });
    else out.push({ removed: [], added: [], other: lines[at++] });
  }
  return out;
}

function inlineRows({ removed, added, other }: Pair, look: DiffLook): string[] {
  if (other) return lineRows(other, "after", look);
  const words = removed.map((line, at) => added[at] && wordDiff(line.text, added[at].text));
  return [
    ...removed.flatMap((line, at) => lineRows(line, "before", look, words[at]?.before)),
    ...added.flatMap((line, at) => lineRows(line, "after", look, words[at]?.after)),
  ];
}

function splitRows({ removed, added, other }: Pair, look: DiffLook): string[] {
  if (other?.kind === "gap") return lineRows(other, "after", look);
  const half = { ...look, columns: Math.floor((look.columns - 3) / 2) };
  const middle = ` ${look.theme.paint("border", look.theme.glyph.box.v)} `;
  return Array.from({ length: other ? 1 : Math.max(removed.length, added.length) }, (_, at) => {
    const [old = other, fresh = other] = [removed[at], added[at]];
    const words = old && fresh && old !== fresh ? wordDiff(old.text, fresh.text) : undefined;
    const left = old ? lineRows(old, "before", half, words?.before) : [];
    const right = fresh ? lineRows(fresh, "after", half, words?.after) : [];
    return Array.from(
      { length: Math.max(left.length, right.length) },
      (_, row) => pad(left[row] ?? "", half.columns) + middle + (right[row] ?? ""),
    );
  }).flat();
}

const sign = { same: " ", added: "+", removed: "-", gap: " " } as const;

/** Rows of one line with its old or new number; `segments` are its words, where some changed. */
function lineRows(
  line: DiffLine,
  side: "before" | "after",
  { theme, digits, columns }: DiffLook,
  segments: readonly DiffSegment[] = [{ text: line.text, changed: false }],
): string[] {
  if (line.kind === "gap") {
    const text = `${" ".repeat(digits)} ${theme.glyph.ellipsis} ${printable(line.text)}`;
    return [theme.paint("dim", fit(text.trimEnd(), columns))];
  }
  const token = line.kind === "same" ? "text" : line.kind;
  const words = segments.map(({ text, changed }) =>
    changed ? theme.paint(line.kind === "added" ? "addedWord" : "removedWord", printable(text)) : printable(text),
  );
  const margin = theme.paint("dim", `${String(line[side] ?? "").padStart(digits)} `);
  return wrap(words.join(""), Math.max(1, columns - digits - 3)).map(
    (row, at) => (at === 0 ? margin : " ".repeat(digits + 1)) + theme.paint(token, `${sign[line.kind]} ${row}`),
  );
}
