import { byteLength, splitLines, sumOf } from "@pith/kit";
import { type Language, withTree } from "./open.ts";
import type { FoldSpan } from "./parse/tree.ts";

export interface SummaryLimits {
  /** A shorter text is shown whole. */
  minLines: number;
  /** A body with fewer lines between its first and its last one stays. */
  minBody: number;
  /** The same for literals and lists, and for comments behind their first words. */
  minData: number;
  minComment: number;
  maxLines: number;
  maxBytes: number;
}

export const summaryLimits: SummaryLimits = {
  minLines: 120,
  minBody: 4,
  minData: 16,
  minComment: 4,
  maxLines: 20_000,
  maxBytes: 2 * 1024 * 1024,
};

/** 1-based, both ends included. */
export interface LineRange {
  from: number;
  to: number;
}

export type SummaryRow =
  | { show: "line"; line: number; text: string }
  /**
   * Lines between `line` and `to` are left out; `text` is the first and the last on one line, with `..` between and,
   * with `first`, the first line of the body before that.
   */
  | { show: "merged"; line: number; to: number; text: string; first?: true }
  | { show: "gap"; from: number; to: number };

export interface Summary {
  rows: SummaryRow[];
  /** All lines whose text is in no row. */
  elided: LineRange[];
  elidedLines: number;
  totalLines: number;
}

/** Levels of detail: from bodies with their first lines down to nothing but the lines of declarations. */
export const summaryLevels = ["opened", "usual", "tight", "bare"] as const;
export type SummaryLevel = (typeof summaryLevels)[number];

export interface SummaryRequest {
  limits?: SummaryLimits;
  /** Tells whether a summary is short enough; the first level that is gets taken, else the last. */
  fits?(summary: Summary, level: SummaryLevel): boolean;
  /** The lines to summarise; all if absent. */
  within?: LineRange;
  /** The size of the whole text: more than one page is worth a summary even where all bodies are short. */
  whole?: "a page" | "more";
}

/** The declarations of a text without their bodies; undefined where nothing is gained, or it is too large to parse. */
export function summarise(text: string, language: Language, request: SummaryRequest = {}): Summary | undefined {
  const { limits = summaryLimits, fits } = request;
  const lines = splitLines(text);
  if (lines.length < limits.minLines || lines.length > limits.maxLines || byteLength(text) > limits.maxBytes)
    return undefined;
  const spans = withTree(text, language, (tree) => tree.spans(openFrom));
  if (!spans) return undefined;
  const folds = nest(spans);
  const usual = choose(folds, lines, limits);
  let tightest: Elided[] | undefined;
  const most = () => {
    tightest ??= choose(folds, lines, { ...limits, ...tight });
    return tightest;
  };
  // Less than a fifth left out is not worth a second read.
  const gains = (elided: readonly Elided[]) => sumOf(elided, sizeOf) * 5 >= lines.length;
  const enough = fits ? summaryLevels : usualLevel;
  const levels = gains(usual) ? enough : request.whole === "more" && gains(most()) ? tightLevels : [];
  let made: Summary | undefined;
  for (const level of levels) {
    const elided = level === "tight" || level === "bare" ? most() : usual;
    made = summaryOf(lines, elided, level, request.within);
    if (fits?.(made, level)) break;
  }
  return made;
}

const usualLevel: readonly SummaryLevel[] = ["usual"];
const tightLevels = summaryLevels.slice(2);
const tight = { minBody: 1, minData: 3, minComment: 1 };

function summaryOf(
  lines: readonly string[],
  elided: readonly Elided[],
  level: SummaryLevel,
  within: LineRange | undefined,
): Summary {
  const { from, to } = within ?? { from: 1, to: lines.length };
  const all = rowsOf(lines, elided, level === "opened" ? "first lines" : "none");
  const kept = level === "bare" ? declarations(all) : all;
  const rows = within ? kept.filter((row) => startOf(row) >= from && startOf(row) <= to) : kept;
  const left = leftOut(rows, from, Math.min(to, lines.length));
  return { ...left, elidedLines: sumOf(left.elided, sizeOf), totalLines: lines.length };
}

const sizeOf = ({ from, to }: LineRange): number => to - from + 1;
const startOf = (row: SummaryRow): number => (row.show === "gap" ? row.from : row.line);

/** The rows with one gap for all lines that none of them shows, and those lines. */
function leftOut(rows: readonly SummaryRow[], from: number, to: number): Pick<Summary, "rows" | "elided"> {
  const filled: SummaryRow[] = [];
  const elided: LineRange[] = [];
  let next = from;
  const gap = (end: number) => {
    if (end < next) return;
    elided.push({ from: next, to: end });
    filled.push({ show: "gap", from: next, to: end });
  };
  for (const row of rows) {
    if (row.show === "gap") continue;
    if (row.line > next) gap(row.line - 1);
    filled.push(row);
    next = row.line + 1;
    if (row.show === "line") continue;
    next = row.to + 1;
    elided.push({ from: row.line + (row.first ? 2 : 1), to: row.to - 1 });
  }
  gap(to);
  return { rows: filled, elided };
}

/** The rows that a left-out body belongs to, and those further left around them. */
function declarations(rows: readonly SummaryRow[]): SummaryRow[] {
  const kept = new Set<SummaryRow>();
  const around: { row: SummaryRow; indent: number }[] = [];
  for (const [i, row] of rows.entries()) {
    if (row.show === "gap" || row.text.trim() === "") continue;
    const indent = row.text.length - row.text.trimStart().length;
    while ((around.at(-1)?.indent ?? -1) >= indent) around.pop();
    around.push({ row, indent });
    if (row.show === "merged" || rows[i + 1]?.show === "gap") for (const { row } of around) kept.add(row);
  }
  return rows.filter((row) => kept.has(row));
}

// A shorter body is left out whole; a longer one is opened when most of it is bodies again (a module wrapped in a
// function, a test suite).
const openFrom = 12;

interface Fold extends FoldSpan {
  inner: Fold[];
}

function nest(spans: readonly FoldSpan[]): Fold[] {
  const top: Fold[] = [];
  const open: Fold[] = [];
  for (const span of spans) {
    const fold = { ...span, inner: [] };
    while (open.length > 0 && (open.at(-1)?.to.index ?? 0) < span.to.index) open.pop();
    (open.at(-1)?.inner ?? top).push(fold);
    open.push(fold);
  }
  return top;
}

/** Lines that are left out. */
interface Elided extends LineRange {
  /** Marks the body of a construct, of which the first line could be shown. */
  body: boolean;
}

function choose(folds: readonly Fold[], lines: readonly string[], limits: Least): Elided[] {
  const least = Math.min(limits.minBody, limits.minData, limits.minComment);
  return folds.flatMap((fold) => {
    if (fold.to.line - fold.from.line + 1 < least) return [];
    const range = hidden(fold, lines);
    const size = sizeOf(range);
    if (size < limits[range.least]) return [];
    return opens(fold, size, lines.length)
      ? choose(fold.inner, lines, limits)
      : [{ from: range.from, to: range.to, body: fold.fold === "body" && !range.told }];
  });
}

type Least = Pick<SummaryLimits, "minBody" | "minData" | "minComment">;

function opens(fold: Fold, size: number, total: number): boolean {
  if (fold.inner.length === 0) return false;
  if (fold.fold === "data") return size * 2 > total || fold.inner.some((inner) => inner.fold === "body");
  const covered = sumOf(fold.inner, ({ from, to }) => to.line - from.line + 1);
  return size >= openFrom && covered * 5 > size * 3;
}

/**
 * The lines of a fold that can go: those between its delimiters, or all of it when it begins a line of its own. The
 * first words of a comment stay, as does a remark at the head of a body, which tells about the rest (`told`).
 */
function hidden(
  { fold, from, to }: FoldSpan,
  lines: readonly string[],
): LineRange & { least: keyof Least; told: boolean } {
  const first = lines[from.line] ?? "";
  const begins = /^\s*$/.test(first.slice(0, from.column));
  const bare = fold === "body" && begins && !/[{([]/.test(first.charAt(from.column));
  const last = to.column === 0 ? to.line - 1 : to.line;
  const closed = !bare && closer.test((lines[last] ?? "").slice(0, last === to.line ? to.column : undefined).trim());
  const comment = fold === "data" && begins && remark.test(first.trim());
  const words = comment && /^\W*$/.test(first) ? 1 : 0;
  const head = (bare ? first : (lines[from.line + 1] ?? "")).trim();
  // A remark of one line; one that goes on would be cut in the middle.
  const told = fold === "body" && remark.test(head) && (bare || /^(?:\/\/|#|--)|\*\/$/.test(head));
  return {
    from: from.line + (bare && !told ? 1 : 2) + words + (told && !bare ? 1 : 0),
    to: last + (closed ? 0 : 1),
    least: fold === "body" ? "minBody" : comment ? "minComment" : "minData",
    told,
  };
}

/** The beginning of a comment, or of a text at the head of a body. */
const remark = /^(?:[a-z]{0,2}"""|[a-z]{0,2}'''|\/[/*]|#|--|<!--)/i;
const closer = /^(?:[}\])`"'>]+|end|\*+\/|-->|"""|''')[}\])`"';,]*$/;
const maxFirst = 100;

function rowsOf(lines: readonly string[], elided: readonly Elided[], keep: "first lines" | "none"): SummaryRow[] {
  const rows: SummaryRow[] = [];
  let line = 1;
  for (const range of elided) {
    const { from, to } = range;
    while (line < from) rows.push(row(lines, line++));
    const opener = openerIn(rows.at(-1), from - 1);
    const closer = lines[to]?.trim() ?? "";
    const head = keep === "first lines" ? headOf(lines, range) : undefined;
    if (/[{([]$/.test(opener) && /^[}\])]/.test(closer)) {
      const first =
        head === undefined
          ? { text: `${opener} .. ${closer}` }
          : { text: `${opener} ${head} .. ${closer}`, first: true as const };
      rows[rows.length - 1] = { show: "merged", line: from - 1, to: to + 1, ...first };
      line = to + 2;
    } else {
      if (head !== undefined) rows.push(row(lines, from));
      rows.push({ show: "gap", from: head === undefined ? from : from + 1, to });
      line = to + 1;
    }
  }
  while (line <= lines.length) rows.push(row(lines, line++));
  return rows;
}

const openerIn = (row: SummaryRow | undefined, line: number): string =>
  row?.show === "line" && row.line === line ? row.text.trimEnd() : "";

/** The first line of a body, where there is one worth showing. */
function headOf(lines: readonly string[], { from, to, body }: Elided): string | undefined {
  const head = lines[from - 1]?.trim() ?? "";
  return body && to > from && head !== "" && head.length <= maxFirst ? head : undefined;
}

function row(lines: readonly string[], line: number): SummaryRow {
  const text = lines[line - 1] ?? "";
  return { show: "line", line, text: text.endsWith("\r") ? text.slice(0, -1) : text };
}
