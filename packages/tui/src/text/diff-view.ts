import type { Theme } from "../theme/theme.ts";
import { printable } from "./clean.ts";
import { type DiffLine, type DiffSegment, wordDiff } from "./diff.ts";
import { fit, pad } from "./width.ts";
import { wrap } from "./wrap.ts";

export type DiffLayout = "inline" | "split" | "auto";
const wide = 140;
/** Half of a window that is narrower than this holds no line of code. */
const narrowest = 12;

/**
 * A diff as rows. Signs stand in the margin beside the colours; `auto` puts old and new side by side where there is
 * room.
 */
export function diffRows(
  lines: readonly DiffLine[],
  columns: number,
  theme: Theme,
  shape: DiffLayout = "auto",
): string[] {
  const digits = String(lines.reduce((top, line) => Math.max(top, line.before ?? 0, line.after ?? 0), 0)).length;
  const draw = { theme, digits, columns };
  const room = columns >= 2 * (digits + narrowest);
  const split = (shape === "split" && room) || (shape === "auto" && columns >= wide);
  return split
    ? pairs(lines).flatMap((pair) => splitRows(pair, draw))
    : pairs(lines).flatMap((pair) => inlineRows(pair, draw));
}

interface Draw {
  theme: Theme;
  digits: number;
  columns: number;
}
interface Pair {
  readonly removed: readonly DiffLine[];
  readonly added: readonly DiffLine[];
  readonly other?: DiffLine;
}

// A run of removed lines and the run of added lines after it belong together: line n of one replaces line n of the
// other.
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

function inlineRows({ removed, added, other }: Pair, draw: Draw): string[] {
  if (other?.kind === "gap") return gapRow(other, draw);
  if (other) return lineRows(other, [{ text: other.text, changed: false }], draw, draw.columns, other.after);
  const words = removed.map((line, at) => (added[at] ? wordDiff(line.text, added[at].text) : undefined));
  return [
    ...removed.flatMap((line, at) =>
      lineRows(line, words[at]?.before ?? [{ text: line.text, changed: false }], draw, draw.columns, line.before),
    ),
    ...added.flatMap((line, at) =>
      lineRows(line, words[at]?.after ?? [{ text: line.text, changed: false }], draw, draw.columns, line.after),
    ),
  ];
}

function splitRows({ removed, added, other }: Pair, draw: Draw): string[] {
  if (other?.kind === "gap") return gapRow(other, draw);
  const half = Math.floor((draw.columns - 3) / 2);
  const middle = ` ${draw.theme.paint("border", draw.theme.glyph.box.v)} `;
  const beside = (left: readonly string[], right: readonly string[]) =>
    Array.from(
      { length: Math.max(left.length, right.length) },
      (_, row) => pad(left[row] ?? "", half) + middle + (right[row] ?? ""),
    );
  if (other) {
    const piece = [{ text: other.text, changed: false }];
    return beside(lineRows(other, piece, draw, half, other.before), lineRows(other, piece, draw, half, other.after));
  }
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => {
    const [old, fresh] = [removed[at], added[at]];
    const words = old && fresh ? wordDiff(old.text, fresh.text) : undefined;
    const left = old
      ? lineRows(old, words?.before ?? [{ text: old.text, changed: false }], draw, half, old.before)
      : [];
    const right = fresh
      ? lineRows(fresh, words?.after ?? [{ text: fresh.text, changed: false }], draw, half, fresh.after)
      : [];
    return beside(left, right);
  }).flat();
}

const sign = { same: " ", added: "+", removed: "-", gap: " " } as const;

function lineRows(
  line: DiffLine,
  pieces: readonly DiffSegment[],
  { theme, digits }: Draw,
  columns: number,
  number: number | undefined,
): string[] {
  const token = line.kind === "added" ? "added" : line.kind === "removed" ? "removed" : "text";
  const body = pieces
    .map((piece) =>
      piece.changed
        ? theme.paint(line.kind === "added" ? "addedWord" : "removedWord", printable(piece.text))
        : printable(piece.text),
    )
    .join("");
  const margin = `${String(number ?? "").padStart(digits)} `;
  const rows = wrap(body, Math.max(1, columns - digits - 3));
  return rows.map(
    (row, at) =>
      (at === 0 ? theme.paint("dim", margin) : " ".repeat(digits + 1)) +
      theme.paint(token, `${sign[line.kind]} ${row}`),
  );
}

function gapRow(line: DiffLine, { theme, digits, columns }: Draw): string[] {
  return [
    theme.paint("dim", fit(`${" ".repeat(digits)} ${theme.glyph.ellipsis} ${printable(line.text)}`.trimEnd(), columns)),
  ];
}
