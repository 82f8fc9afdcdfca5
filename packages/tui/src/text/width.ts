import { nativeSlice, nativeStrip, nativeWidth } from "../platform.ts";

// The one width model for measuring, cutting, wrapping and painting.

/** Cells a text takes on a terminal; escape sequences take none. */
export function width(text: string): number {
  if (plain.test(text)) return text.length;
  if (text.includes(sizedOpen)) return sizedWidth(text);
  return joined.test(text) ? cells(text).reduce((sum, cell) => sum + cell.width, 0) : nativeWidth(text);
}

/** The cells `[from, to)` of a text, colours and links kept. A wide character cut in half is left out. */
export function slice(text: string, from: number, to: number): string {
  if (to <= from) return "";
  if (plain.test(text)) return text.slice(from, to);
  const flat = text.includes(sizedOpen) ? unsized(text) : text;
  if (joined.test(flat)) return cellSlice(flat, from, to);
  const cut = nativeSlice(flat, from, to);
  return nativeWidth(cut) > to - from ? cellSlice(flat, from, to) : cut;
}

/** The text cut to `columns`, with a mark where something is missing. */
export function fit(text: string, columns: number, mark = "…"): string {
  if (columns <= 0) return "";
  // A text cannot be wider than twice its length, so most rows need no measuring.
  if (text.length * 2 <= columns || width(text) <= columns) return text;
  const room = columns - width(mark);
  return room < 0 ? slice(text, 0, columns) : slice(text, 0, room) + mark;
}

/** The text at exactly `columns`: cut, or filled with spaces. */
export function pad(text: string, columns: number, side: "start" | "end" | "both" = "end"): string {
  const cut = fit(text, columns);
  const gap = columns - width(cut);
  if (gap <= 0) return cut;
  const before = side === "start" ? gap : side === "both" ? gap >> 1 : 0;
  return " ".repeat(before) + cut + " ".repeat(gap - before);
}

/** The text without its escape sequences. */
export const strip = (text: string): string =>
  text.includes("\x1b") ? nativeStrip(text.includes(sizedOpen) ? unsized(text) : text) : text;

// Made when it is first needed: it costs a start more than a module does.
let segmenter: Intl.Segmenter | undefined;
/** The characters of a text as people count them: families, flags and combined letters stay whole. */
export function graphemes(text: string): string[] {
  if (plain.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** Texts in which characters join: only whole graphemes are measured and cut there. */
const joined = /[\p{M}\p{Cf}\p{Sk}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb]/u;

interface Cell {
  readonly text: string;
  readonly width: number;
  /** Escape sequences that stand before the character. */
  readonly before: string;
}

/** A text as graphemes with the sequences before them; sequences at the end come with an empty last cell. */
export function cells(text: string): Cell[] {
  const out: Cell[] = [];
  let before = "";
  for (const part of text.split(sequence)) {
    if (part.startsWith("\x1b")) before += part;
    else
      for (const each of graphemes(part)) {
        out.push({ text: each, width: cellWidth(each), before });
        before = "";
      }
  }
  if (before !== "") out.push({ text: "", width: 0, before });
  return out;
}

/** Cells of a character; a soft hyphen is shown wherever it stands. */
const cellWidth = (grapheme: string) => (grapheme === "\u00ad" ? 1 : nativeWidth(grapheme));

/** A slice by graphemes, with the sequences outside of it that still matter: colours before it, ends after it. */
function cellSlice(text: string, from: number, to: number): string {
  let out = "";
  let column = 0;
  for (const cell of cells(text)) {
    out += cell.before;
    if (
      cell.text !== "" &&
      column >= from &&
      column + cell.width <= to &&
      (cell.width > 0 || column > from || from === 0)
    )
      out += cell.text;
    column += cell.width;
  }
  return out;
}

/** Any one escape sequence that may stand in a row. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
export const escapes = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]_][^\x07\x1b]*(?:\x07|\x1b\\)/g;
const sequence = new RegExp(`(${escapes.source})`);

const plain = /^[\x20-\x7e]*$/;

// Sized text (OSC 66): `s` scales, `w` fixes the width of each cell group.
export const sizedOpen = "\x1b]66;";
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const sized = /\x1b\]66;([^;\x07\x1b]*);([^\x07\x1b]*)(?:\x07|\x1b\\)/g;
const unsized = (text: string) => text.replace(sized, "$2");
function sizedWidth(text: string): number {
  let total = nativeWidth(text.replace(sized, ""));
  for (const [, options = "", inner = ""] of text.matchAll(sized)) {
    const option = (key: string) => Number(new RegExp(`(?:^|:)${key}=(\\d+)`).exec(options)?.[1] ?? 0);
    total += (option("s") || 1) * (option("w") || nativeWidth(inner));
  }
  return total;
}
