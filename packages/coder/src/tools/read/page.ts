import type { Meta, Outcome } from "@pith/agent";
import { byteLength, formatBytes, headBytes } from "@pith/kit";
import { tagHeader } from "../../snapshot/header.ts";
import { mergeRanges, type Range, type Selector } from "../selector.ts";

/** How lines are shown: numbered below a header an edit can refer to, only numbered, or bare. */
export type Display = "hashline" | "numbered" | "plain";

export interface Slice {
  from: number;
  lines: string[];
  bytes: number;
  /** Why it ends before what was asked for; "line" when a single line is longer than a page. */
  cut?: "lines" | "bytes" | "line";
}

export interface Total {
  lines: number;
  counted: "exactly" | "at least";
  bytes: number;
}

export interface Shown {
  name: string;
  source: NonNullable<Meta["source"]>;
  /** Of the content, for an edit; without, it cannot be edited here. */
  tag?: string | undefined;
  display: Display;
  notes?: readonly string[];
}

/** A range is shown with a little of what stands around it, so that its place can be told. */
const around = { before: 1, after: 3 };
const maxLines = 3000;
const minBytes = 50 * 1024;

export interface Window extends Range {
  maxLines: number;
  maxBytes: number;
}

/** What to fetch for a selector; `limit` is how many lines an open end may bring. */
export function windowsOf({ ranges, show }: Selector, limit: number): Window[] {
  const wanted = ranges.length === 0 ? [{ from: 1 }] : ranges;
  const wide = show === "raw" ? wanted : mergeRanges(wanted.map(widen));
  return wide.map((range) => {
    const most = range.to === undefined ? Math.min(maxLines, limit) + (range.from > 1 && show !== "raw" ? around.before : 0) : maxLines;
    return { ...range, maxLines: most, maxBytes: Math.max(minBytes, Math.min(most, range.to === undefined ? most : range.to - range.from + 1) * 512) };
  });
}

const widen = ({ from, to }: Range): Range => ({ from: Math.max(1, from - around.before), ...(to !== undefined && { to: to + around.after }) });

/** The lines of a text; what ends it begins no other. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

export function sliceLines(lines: readonly string[], windows: readonly Window[]): Slice[] {
  return windows.filter(({ from }) => from <= lines.length).map((window) => sliceOf(lines, window));
}

function sliceOf(lines: readonly string[], { from, to = lines.length, maxLines: most, maxBytes }: Window): Slice {
  const taken: string[] = [];
  let bytes = 0;
  for (let at = from; at <= Math.min(to, lines.length); at++) {
    const line = lines[at - 1] ?? "";
    if (taken.length >= most) return { from, lines: taken, bytes, cut: "lines" };
    bytes += byteLength(line) + 1;
    if (bytes <= maxBytes) taken.push(line);
    else if (taken.length > 0) return { from, lines: taken, bytes, cut: "bytes" };
    else return { from, lines: [headBytes(line, maxBytes)], bytes: maxBytes, cut: "line" };
  }
  return { from, lines: taken, bytes };
}

/** Slices as a result: their text, and what is left out. */
export function showSlices(slices: readonly Slice[], total: Total, selector: Selector, shown: Shown): Outcome<"page"> {
  const { name, source, notes = [] } = shown;
  const [first, last] = [slices[0], slices.at(-1)];
  const data = { path: name, totalLines: total.lines, bytes: total.bytes };
  if (!first || !last || slices.every((slice) => slice.lines.length === 0))
    return { kind: "page", data, text: emptyText(total, selector), meta: { source, ...(notes.length > 0 && { notes: [...notes] }) } };
  const to = last.from + last.lines.length - 1;
  const all = [...slices.flatMap(longLine), ...notes];
  return {
    kind: "page",
    data: { path: name, from: first.from, to, totalLines: total.lines, bytes: total.bytes },
    text: textOf(slices, total, selector, shown),
    meta: { source, ...truncation(last, total), ...(all.length > 0 && { notes: all }) },
  };
}

function textOf(slices: readonly Slice[], total: Total, { show, ranges }: Selector, { name, tag, display }: Shown): string {
  if (show === "raw") {
    const text = slices.map(({ lines }) => lines.join("\n")).join("\n");
    const whole = ranges.length === 0 && slices.every(({ cut }) => !cut);
    return whole && total.bytes > byteLength(text) ? `${text}\n` : text;
  }
  const prefix = (number: number): string => (display === "hashline" ? `${number}:` : display === "numbered" ? `${number}|` : "");
  const blocks = slices.map(({ from, lines }) => lines.map((line, i) => `${prefix(from + i)}${line.endsWith("\r") ? line.slice(0, -1) : line}`).join("\n"));
  const body = blocks.join("\n...\n");
  return display === "hashline" ? `${headerOf(name, tag)}\n${body}` : body;
}

export const headerOf = (name: string, tag: string | undefined): string => (tag === undefined ? `[${name}]` : tagHeader(name, tag));

function emptyText(total: Total, { ranges }: Selector): string {
  if (total.lines === 0) return "(empty file)";
  return `Line ${ranges[0]?.from} is past the end: there are ${total.lines} lines. Use :1 to read from the start, or :${total.lines} for the last line.`;
}

const longLine = ({ cut, from }: Slice): string[] =>
  cut === "line" ? [`Line ${from} is longer than ${formatBytes(minBytes)}; only its beginning is shown`] : [];

function truncation({ cut, from, lines, bytes }: Slice, total: Total): Pick<Meta, "truncation"> {
  if (!cut) return {};
  const end = from + lines.length - 1;
  return {
    truncation: {
      direction: "head",
      truncatedBy: cut === "line" ? "columns" : cut,
      totalLines: total.lines,
      ...(total.counted === "at least" && { atLeast: true as const }),
      totalBytes: total.bytes,
      outputLines: lines.length,
      outputBytes: bytes,
      shownRange: { start: from, end },
      ...(end < total.lines && { nextOffset: end + 1 }),
    },
  };
}
