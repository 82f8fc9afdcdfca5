import type { Theme } from "../theme/theme.ts";
import { printable } from "./clean.ts";
import { type DiffLine, type DiffSegment, wordDiff } from "./diff.ts";
import type { Highlighter } from "./highlight.ts";
import { escapes, fit, pad, strip } from "./width.ts";
import { wrap } from "./wrap.ts";

export type DiffLayout = "inline" | "split" | "auto";
/** Columns from which on `auto` puts old and new side by side. */
const wide = 140;
/** Columns that half of a window needs beside its numbers to hold a line of code. */
const narrowest = 12;

/** Colours for the code of a diff. */
export interface DiffCode {
  highlighter: Highlighter;
  language: string;
}

/**
 * A diff as rows. Signs stand in the margin beside the colours. With `code` the lines that stay and come are coloured
 * as code; those that go are not, so that they are not taken for these.
 */
export function diffRows(
  lines: readonly DiffLine[],
  columns: number,
  theme: Theme,
  layout: DiffLayout = "auto",
  code?: DiffCode,
): string[] {
  const digits = String(lines.reduce((top, { before = 0, after = 0 }) => Math.max(top, before, after), 0)).length;
  const fits = columns >= 2 * (digits + narrowest);
  const split = (layout === "split" && fits) || (layout === "auto" && columns >= wide);
  const look = { theme, digits, columns, painted: code ? paintedLines(lines, code) : unpainted };
  return pairs(lines).flatMap((pair) => (split ? splitRows(pair, look) : inlineRows(pair, look)));
}

interface DiffLook {
  theme: Theme;
  digits: number;
  columns: number;
  painted: ReadonlyMap<DiffLine, string>;
}

const unpainted: ReadonlyMap<DiffLine, string> = new Map();

/** Colours what each hunk comes down to, so that comments and texts of several lines are whole. */
function paintedLines(lines: readonly DiffLine[], { highlighter, language }: DiffCode): ReadonlyMap<DiffLine, string> {
  const painted = new Map<DiffLine, string>();
  let hunk: DiffLine[] = [];
  const close = () => {
    const rows = hunk.length > 0 && highlighter.lines(hunk.map(({ text }) => text).join("\n"), language);
    if (rows && rows.length === hunk.length) for (const [at, line] of hunk.entries()) painted.set(line, rows[at] ?? "");
    hunk = [];
  };
  for (const line of lines) {
    if (line.kind === "gap") close();
    else if (line.kind !== "removed") hunk.push(line);
  }
  close();
  return painted;
}

/** A change of colour, or the text between two of them. */
const pieces = new RegExp(`${escapes.source}|[^\\x1b]+`, "g");

/** Puts the marks of changed words into a line that is painted already. */
function marked(painted: string, segments: readonly DiffSegment[], mark: (text: string) => string): string {
  let [out, open] = ["", ""];
  let at = 0;
  let left = segments[0]?.text.length ?? 0;
  for (const [piece] of painted.matchAll(pieces)) {
    if (piece.startsWith("\x1b")) {
      open = piece;
      out += segments[at]?.changed ? "" : piece;
      continue;
    }
    for (let rest = piece; rest !== ""; ) {
      while (left === 0 && at < segments.length) left = segments[++at]?.text.length ?? Number.POSITIVE_INFINITY;
      const text = rest.slice(0, left);
      out += segments[at]?.changed ? mark(text) + open : text;
      rest = rest.slice(text.length);
      left -= text.length;
    }
  }
  return out;
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
  { theme, digits, columns, painted }: DiffLook,
  segments: readonly DiffSegment[] = [{ text: line.text, changed: false }],
): string[] {
  if (line.kind === "gap") {
    const text = `${" ".repeat(digits)} ${theme.glyph.ellipsis} ${printable(line.text)}`;
    return [theme.paint("dim", fit(text.trimEnd(), columns))];
  }
  const token = line.kind === "same" ? "text" : line.kind;
  const mark = (text: string) => theme.paint(line.kind === "added" ? "addedWord" : "removedWord", text);
  const plain = segments.map(({ text, changed }) => ({ text: printable(text), changed }));
  const code = painted.get(line);
  const isSame = code !== undefined && strip(code) === plain.map(({ text }) => text).join("");
  const words = isSame
    ? marked(code, plain, mark)
    : plain.map(({ text, changed }) => (changed ? mark(text) : text)).join("");
  const margin = theme.paint("dim", `${String(line[side] ?? "").padStart(digits)} `);
  return wrap(words, Math.max(1, columns - digits - 3)).map(
    (row, at) => (at === 0 ? margin : " ".repeat(digits + 1)) + theme.paint(token, `${sign[line.kind]} ${row}`),
  );
}
