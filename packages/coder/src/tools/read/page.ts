import { type Meta, maxShown, type Outcome } from "@pith/agent";
import type { FsKind } from "@pith/host";
import { byteLength, headBytes, ok, type Result } from "@pith/kit";
import type { Files } from "../../files/files.ts";
import { tagHeader } from "../../snapshot/header.ts";
import { mergeRanges, type Range, type Selector } from "../selector.ts";

/** How lines are shown: numbered below a header an edit can refer to, only numbered, or bare. */
export type Display = "hashline" | "numbered" | "plain";

export interface Slice {
  from: number;
  lines: string[];
  bytes: number;
  /** Why it ends before what was asked for. */
  cut?: "lines" | "bytes";
  /** The numbers of lines of which only the beginning is shown. */
  long?: number[];
}

export interface Total {
  lines: number;
  counted: "exactly" | "at least";
  bytes: number;
  /** Whether the last line has an end. */
  ended: boolean;
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

/**
 * What to fetch: lines in a room of so many bytes. One line never takes all of it from the others, least of all one
 * that nobody asked for.
 */
export interface Window extends Range {
  maxLines: number;
  maxBytes: number;
  maxLine: number;
  lead: { lines: number; maxLine: number };
}

/**
 * What to fetch for a selector; `limit` is how many lines an open end may bring, `there` how many there are, where that
 * is known.
 */
function windowsOf({ ranges, show }: Selector, limit: number, there = Number.POSITIVE_INFINITY): Window[] {
  const wanted = ranges.length === 0 ? [{ from: 1 }] : ranges;
  const wide = show === "raw" ? wanted : mergeRanges(wanted.map(widen));
  return wide.map((range) => {
    const lead = range.from < (wanted.find(({ from }) => from >= range.from)?.from ?? 0) ? around.before : 0;
    const most = range.to === undefined ? Math.min(maxLines, limit) + lead : maxLines;
    const asked = Math.min(most, (range.to ?? there) - range.from + 1, there - range.from + 1);
    return {
      ...range,
      maxLines: most,
      maxBytes: Math.max(maxShown, asked * 512),
      maxLine: maxShown,
      lead: { lines: lead, maxLine: 512 },
    };
  });
}

const widen = ({ from, to }: Range): Range => ({
  from: Math.max(1, from - around.before),
  to: to === undefined ? undefined : to + around.after,
});

/** The lines of a text; what ends it begins no other. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** A text that is in memory, as much of it as was asked for. `bytes` are those of its file. */
export function showText(
  text: string,
  selector: Selector,
  limit: number,
  shown: Shown,
  bytes = byteLength(text),
): Outcome<"page"> {
  const lines = linesOf(text);
  const slices = windowsOf(selector, limit, lines.length).flatMap((window) =>
    window.from <= lines.length ? [sliceOf(lines, window)] : [],
  );
  return showSlices(
    slices,
    { lines: lines.length, counted: "exactly", bytes, ended: text.endsWith("\n") },
    selector,
    shown,
  );
}

function sliceOf(
  lines: readonly string[],
  { from, to = lines.length, maxLines: most, maxBytes, maxLine, lead }: Window,
): Slice {
  const slice = { from, lines: [] as string[], bytes: 0, long: [] as number[] };
  for (let at = from; at <= Math.min(to, lines.length); at++) {
    if (slice.lines.length >= most) return { ...slice, cut: "lines" };
    const line = lines[at - 1] ?? "";
    const shown = headBytes(line, at < from + lead.lines ? lead.maxLine : maxLine);
    const bytes = byteLength(shown) + 1;
    if (slice.bytes + bytes > maxBytes && slice.lines.length > 0) return { ...slice, cut: "bytes" };
    if (shown.length < line.length) slice.long.push(at);
    slice.lines.push(shown);
    slice.bytes += bytes;
  }
  return slice;
}

/** The same out of a file that is too large to be held. */
export async function showStream(
  files: Files,
  path: string,
  selector: Selector,
  limit: number,
  shown: Shown,
  signal: AbortSignal,
): Promise<Result<Outcome<"page">, FsKind>> {
  const slices: Slice[] = [];
  const notes = new Set(shown.notes);
  let total: Total = { lines: 0, counted: "exactly", bytes: 0, ended: true };
  for (const window of windowsOf(selector, limit)) {
    const page = await files.page(path, { ...window, signal });
    if (!page.ok) return page;
    const { lines, shownBytes, damaged, totalLines, totalBytes, ...rest } = page.value;
    if (damaged) notes.add("Some bytes are not UTF-8 and are shown as \ufffd");
    if (lines.length > 0) slices.push({ from: window.from, lines, bytes: shownBytes, long: rest.long, cut: rest.cut });
    if (totalLines >= total.lines)
      total = { lines: totalLines, counted: rest.counted, bytes: totalBytes, ended: rest.ended };
  }
  return ok(showSlices(slices, total, selector, { ...shown, notes: [...notes] }));
}

/** Slices as a result: their text, and what is left out. */
function showSlices(slices: readonly Slice[], total: Total, selector: Selector, shown: Shown): Outcome<"page"> {
  const { name, source, notes = [] } = shown;
  const [first, last] = [slices[0], slices.at(-1)];
  const data = { path: name, totalLines: total.lines, bytes: total.bytes };
  const past = selector.ranges.filter(({ from }) => from > total.lines);
  if (!first || !last || (past.length > 0 && past.length === selector.ranges.length))
    return {
      kind: "page",
      data,
      text: total.lines === 0 ? "(empty file)" : pastEnd(total.lines, past),
      meta: { source, ...(notes.length > 0 && { notes: [...notes] }) },
    };
  const to = last.from + last.lines.length - 1;
  const all = [
    ...longNotes(slices.flatMap(({ long = [] }) => long)),
    ...(past.length > 0 ? [pastEnd(total.lines, past)] : []),
    ...notes,
  ];
  return {
    kind: "page",
    data: { path: name, from: first.from, to, totalLines: total.lines, bytes: total.bytes },
    text: textOf(slices, total, selector, shown),
    meta: {
      source,
      ...truncation(slices.find(({ cut }) => cut) ?? last, total),
      ...(all.length > 0 && { notes: all }),
    },
  };
}

function textOf(
  slices: readonly Slice[],
  total: Total,
  { show, ranges }: Selector,
  { name, tag, display }: Shown,
): string {
  if (show === "raw") {
    const text = slices.map(({ lines }) => lines.join("\n")).join("\n");
    const whole = ranges.length === 0 && slices.every(({ cut }) => !cut);
    return whole && total.ended ? `${text}\n` : text;
  }
  const prefix = (number: number): string =>
    display === "hashline" ? `${number}:` : display === "numbered" ? `${number}|` : "";
  const blocks = slices.map(({ from, lines }) =>
    lines.map((line, i) => `${prefix(from + i)}${line.endsWith("\r") ? line.slice(0, -1) : line}`).join("\n"),
  );
  const body = blocks.join("\n...\n");
  return display === "plain" ? body : `${headerOf(name, tag)}\n${body}`;
}

export const headerOf = (name: string, tag: string | undefined): string =>
  tag === undefined ? `[${name}]` : tagHeader(name, tag);

/** The lines of a listing that were asked for, at most `most`, and what to say about the rest. */
export function chooseLines(
  lines: readonly string[],
  ranges: readonly Range[],
  { name, most }: { name: string; most: number },
): { text: string; meta: Pick<Meta, "limits" | "notes"> } {
  const chosen = ranges.length === 0 ? lines : ranges.flatMap(({ from, to }) => lines.slice(from - 1, to));
  const shown = chosen.slice(0, most);
  const next = (ranges[0]?.from ?? 1) + most;
  return {
    text: chosen.length === 0 ? pastEnd(lines.length, ranges) : shown.join("\n"),
    meta:
      shown.length < chosen.length
        ? {
            limits: { headLimit: most },
            notes: [`There are ${lines.length} lines; go on with ${name}:${next}-${next + most - 1}`],
          }
        : {},
  };
}

/** What is said about lines that are not there. */
const pastEnd = (total: number, ranges: readonly Range[]): string =>
  `Line ${ranges[0]?.from} is past the end: there are ${total} lines. Use :1 to read from the start, or :${total} for the last line.`;

function longNotes(numbers: readonly number[]): string[] {
  const [first, ...others] = numbers;
  if (first === undefined) return [];
  if (others.length === 0) return [`Line ${first} is too long; only its beginning is shown`];
  const named = numbers.slice(0, 10).join(", ");
  const more = numbers.length > 10 ? ` and ${numbers.length - 10} more` : "";
  return [`Lines ${named}${more} are too long; only their beginnings are shown`];
}

function truncation({ cut, from, lines, bytes }: Slice, total: Total): Pick<Meta, "truncation"> {
  if (!cut) return {};
  const end = from + lines.length - 1;
  return {
    truncation: {
      direction: "head",
      truncatedBy: cut,
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
