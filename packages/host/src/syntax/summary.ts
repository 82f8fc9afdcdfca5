import { byteLength } from "@pith/kit";
import { type Language, withTree } from "./open.ts";
import type { Span } from "./parse/tree.ts";

export interface SummaryLimits {
  /** A shorter text is shown whole. */
  minLines: number;
  /** A body with fewer lines between its first and its last one stays. */
  minBody: number;
  /** The same for literals, lists and comments. */
  minData: number;
  maxLines: number;
  maxBytes: number;
}

export const summaryLimits: SummaryLimits = {
  minLines: 120,
  minBody: 4,
  minData: 16,
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
  /** The lines between `line` and `to` are left out; `text` is both on one line, with `..` between. */
  | { show: "merged"; line: number; to: number; text: string }
  | { show: "gap"; from: number; to: number };

export interface Summary {
  rows: SummaryRow[];
  /** Exactly the lines whose text is in no row. */
  elided: LineRange[];
  elidedLines: number;
  totalLines: number;
}

/**
 * The declarations of a text without their bodies. Undefined: there is nothing to gain, or it is too large to parse.
 */
export function summarise(
  text: string,
  language: Language,
  limits: SummaryLimits = summaryLimits,
): Summary | undefined {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length < limits.minLines || lines.length > limits.maxLines || byteLength(text) > limits.maxBytes)
    return undefined;
  const spans = withTree(text, language, (tree) => tree.spans(openFrom));
  if (!spans) return undefined;
  const elided = choose(nest(spans), lines, limits);
  const elidedLines = elided.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  // Less than a fifth left out is not worth a second read.
  if (elidedLines * 5 < lines.length) return undefined;
  return { rows: rowsOf(lines, elided), elided, elidedLines, totalLines: lines.length };
}

// A shorter body is left out whole; a longer one is opened when most of it is bodies again (a module wrapped in a
// function, a test suite).
const openFrom = 12;

interface Fold extends Span {
  inner: Fold[];
}

function nest(spans: readonly Span[]): Fold[] {
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

function choose(folds: readonly Fold[], lines: readonly string[], limits: SummaryLimits): LineRange[] {
  return folds.flatMap((fold) => {
    const range = hidden(fold, lines);
    const size = range.to - range.from + 1;
    if (size < (fold.fold === "body" ? limits.minBody : limits.minData)) return [];
    return opens(fold, size, lines.length) ? choose(fold.inner, lines, limits) : [range];
  });
}

function opens(fold: Fold, size: number, total: number): boolean {
  if (fold.inner.length === 0) return false;
  if (fold.fold === "data") return size * 2 > total || fold.inner.some((inner) => inner.fold === "body");
  const covered = fold.inner.reduce((sum, inner) => sum + inner.to.line - inner.from.line + 1, 0);
  return size >= openFrom && covered * 5 > size * 3;
}

/** The lines of a fold that can go: what is between its delimiters, or all of it when it begins a line of its own. */
function hidden({ fold, from, to }: Span, lines: readonly string[]): LineRange {
  const first = lines[from.line] ?? "";
  const bare = fold === "body" && /^\s*$/.test(first.slice(0, from.column)) && !/[{([]/.test(first.charAt(from.column));
  const last = to.column === 0 ? to.line - 1 : to.line;
  const closed = !bare && closer.test((lines[last] ?? "").slice(0, last === to.line ? to.column : undefined).trim());
  return { from: from.line + (bare && !remark.test(first.trim()) ? 1 : 2), to: last + (closed ? 0 : 1) };
}

/** A comment or a text at the head of a body says what the rest is; it stays. */
const remark = /^(?:[a-z]{0,2}"""|[a-z]{0,2}'''|\/[/*]|#|--)/i;
const closer = /^(?:[}\])`"'>]+|end|\*+\/|-->|"""|''')[}\])`"';,]*$/;

function rowsOf(lines: readonly string[], elided: readonly LineRange[]): SummaryRow[] {
  const rows: SummaryRow[] = [];
  let line = 1;
  for (const { from, to } of elided) {
    while (line < from) rows.push(row(lines, line++));
    const before = rows.at(-1);
    const opener = before?.show === "line" && before.line === from - 1 ? before.text.trimEnd() : "";
    const closer = lines[to]?.trim() ?? "";
    if (before?.show === "line" && /[{([]$/.test(opener) && /^[}\])]/.test(closer)) {
      rows[rows.length - 1] = { show: "merged", line: from - 1, to: to + 1, text: `${opener} .. ${closer}` };
      line = to + 2;
    } else {
      rows.push({ show: "gap", from, to });
      line = to + 1;
    }
  }
  while (line <= lines.length) rows.push(row(lines, line++));
  return rows;
}

const row = (lines: readonly string[], line: number): SummaryRow => ({
  show: "line",
  line,
  text: (lines[line - 1] ?? "").replace(/\r$/, ""),
});
