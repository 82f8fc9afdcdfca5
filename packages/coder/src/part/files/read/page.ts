import type { Meta, Outcome } from "@pith/agent";
import type { Page, PageRequest } from "@pith/host";
import { byteLength, headBytes, ok, type Result, splitLines } from "@pith/kit";
import { countFitting } from "../../../tools/cut.ts";
import { type Display, headerOf, markOf } from "../../../tools/display.ts";
import { mergeRanges, type Range, type Selector } from "../../../tools/selector.ts";

interface Slice {
  from: number;
  lines: string[];
  bytes: number;
  /** The lines of which only a part is shown, and where the next part of each begins. */
  long: Required<Pick<Range, "from" | "after">>[];
}

interface Total {
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
/** What stands around is there for its place only. */
const maxAside = 512;
/** However many lines are asked for, and however many the setting says. */
export const maxLines = 1000;

/** How much one answer may hold: lines where the end is open, and bytes. */
export interface Room {
  limit: number;
  bytes: number;
}

/** Lines to fetch, with what stands around them; `lead` of them only tell where the rest begins. */
interface Window extends Range {
  lead: number;
  /** Lines that may come, when there is room for them. */
  most: number;
  /** Bytes of one line: it must not take everything from the others. */
  maxLine: number;
}

function windowsOf({ ranges, show }: Selector, { limit, bytes }: Room): Window[] {
  const wanted = ranges.length === 0 ? [{ from: 1 }] : ranges;
  const wide = show === "raw" ? wanted : mergeRanges(wanted.map(widen));
  const single = wanted.length === 1 && wanted[0]?.from === wanted[0]?.to;
  return wide.map((range): Window => {
    if (range.after !== undefined) return { ...range, lead: 0, most: 1, maxLine: bytes };
    const lead = range.from < (wanted.find(({ from }) => from >= range.from)?.from ?? 0) ? around.before : 0;
    const most = range.to === undefined ? Math.min(maxLines, limit) + lead : maxLines;
    return { ...range, lead, most, maxLine: single ? bytes : Math.max(maxAside, Math.floor(bytes / 4)) };
  });
}

const widen = ({ from, to, after }: Range): Range =>
  after === undefined
    ? { from: Math.max(1, from - around.before), to: to === undefined ? undefined : to + around.after }
    : { from, to: from, after };

/** What is left of the room while it is filled, one window after the other. */
class Filling {
  readonly slices: Slice[] = [];
  readonly #shown: Shown;
  #lines = maxLines;
  #bytes: number;

  constructor({ bytes }: Room, shown: Shown) {
    this.#bytes = bytes;
    this.#shown = shown;
  }

  /** Lines and bytes that a window can still have. */
  left({ most }: Window): { lines: number; bytes: number } {
    return { lines: Math.min(most, this.#lines), bytes: this.#bytes };
  }

  /** Takes as many of the lines that begin a window as there is room for. */
  add(window: Window, lines: readonly string[], cut: readonly number[] = []): void {
    const { from, lead, maxLine, after = 0 } = window;
    const most = this.left(window).lines;
    const slice: Slice = { from, lines: [], bytes: 0, long: [] };
    for (const [i, line] of lines.entries()) {
      if (slice.lines.length >= most) break;
      const head = headBytes(line, Math.min(i < lead ? maxAside : maxLine, Math.max(maxAside, this.#bytes)));
      const bytes = byteLength(head) + 1 + prefixOf(from + i, this.#shown.display).length;
      if (bytes > this.#bytes && (slice.lines.length > lead || this.slices.length > 0)) {
        this.#bytes = 0;
        break;
      }
      if (head.length < line.length || cut.includes(from + i))
        slice.long.push({ from: from + i, after: after + byteLength(head) });
      slice.lines.push(head);
      slice.bytes += byteLength(head) + 1;
      this.#bytes -= bytes;
    }
    this.#lines -= slice.lines.length;
    if (slice.lines.length > 0) this.slices.push(slice);
  }
}

/** A text that is in memory, as much of it as was asked for. `bytes` are those of its file. */
export function showText(
  text: string,
  selector: Selector,
  room: Room,
  shown: Shown,
  bytes = byteLength(text),
): Outcome<"page"> {
  const lines = splitLines(text);
  const filling = new Filling(room, shown);
  for (const window of windowsOf(selector, room))
    filling.add(window, lines.slice(window.from - 1, window.to).map(behind(window)));
  const total: Total = { lines: lines.length, counted: "exactly", bytes, ended: text.endsWith("\n") };
  return showSlices(filling.slices, total, selector, room, shown);
}

/** What stands behind some bytes of a line; a letter that they cut is left out. */
const behind =
  ({ after }: Range) =>
  (line: string): string =>
    after === undefined
      ? line
      : Buffer.from(line)
          .subarray(after)
          .toString()
          .replace(/^\ufffd+/, "");

/** The same out of a file that is too large to be held. */
export async function showStream<K extends string>(
  read: (request: PageRequest) => Promise<Result<Page, K>>,
  selector: Selector,
  room: Room,
  shown: Shown,
  signal: AbortSignal,
): Promise<Result<Outcome<"page">, K>> {
  const filling = new Filling(room, shown);
  const notes = new Set(shown.notes);
  let total: Total = { lines: 0, counted: "exactly", bytes: 0, ended: true };
  for (const window of windowsOf(selector, room)) {
    const { from, to, lead, maxLine, after } = window;
    const left = filling.left(window);
    if (left.lines <= 0 || left.bytes <= 0) break;
    const page = await read({
      from,
      ...(to !== undefined && { to }),
      ...(after !== undefined && { after }),
      maxLines: left.lines,
      maxBytes: left.bytes,
      maxLine: Math.min(maxLine, left.bytes),
      lead: { lines: lead, maxLine: Math.min(maxAside, left.bytes) },
      signal,
    });
    if (!page.ok) return page;
    const { lines, damaged, totalLines, totalBytes, long, counted, ended } = page.value;
    if (damaged) notes.add("Some bytes are not UTF-8 and are shown as \ufffd");
    filling.add(window, lines, long);
    if (totalLines >= total.lines) total = { lines: totalLines, counted, bytes: totalBytes, ended };
  }
  return ok(showSlices(filling.slices, total, selector, room, { ...shown, notes: [...notes] }));
}

/** Slices as a result: their text, and what is left out. */
function showSlices(
  slices: readonly Slice[],
  total: Total,
  selector: Selector,
  room: Room,
  shown: Shown,
): Outcome<"page"> {
  const { name, source, notes = [] } = shown;
  const [first, last] = [slices[0], slices.at(-1)];
  const data = { path: name, totalLines: total.lines, bytes: total.bytes };
  const past = selector.ranges.filter(({ from }) => from > total.lines);
  if (!first || !last || (past.length > 0 && past.length === selector.ranges.length)) {
    const empty = shown.tag === undefined ? "(empty file)" : `${headerOf(name, shown.tag)}\n(empty file)`;
    return {
      kind: "page",
      data,
      text: total.lines === 0 ? empty : pastEnd(total.lines, past),
      meta: { source, ...(notes.length > 0 && { notes: [...notes] }) },
    };
  }
  const to = last.from + last.lines.length - 1;
  const rest = restOf(slices, total, selector);
  const all = [
    ...longNotes(
      slices.flatMap(({ long }) => long),
      name,
    ),
    ...(past.length > 0 ? [pastEnd(total.lines, past)] : []),
    ...notes,
  ];
  return {
    kind: "page",
    data: { path: name, from: first.from, to, totalLines: total.lines, bytes: total.bytes },
    text: textOf(slices, rest, total, selector, shown),
    meta: {
      source,
      ...(rest.length > 0 && { truncation: truncation(slices, rest, total, selector, room, shown) }),
      ...(all.length > 0 && { notes: all }),
    },
  };
}

type Stretch = Required<Pick<Range, "from" | "to">>;

/** Of the lines that were asked for and are there, those that are not shown. */
function restOf(slices: readonly Slice[], total: Total, { ranges }: Selector): Stretch[] {
  const there = total.counted === "exactly" ? total.lines : Number.POSITIVE_INFINITY;
  return (ranges.length === 0 ? [{ from: 1 }] : ranges).flatMap(({ from, to = there }: Range) => {
    const ends = slices.map((slice) => ({ from: slice.from, to: slice.from + slice.lines.length - 1 }));
    const reached = ends.find((end) => end.from <= from && end.to >= from)?.to ?? from - 1;
    return reached < Math.min(to, there) ? [{ from: reached + 1, to: Math.min(to, there) }] : [];
  });
}

function textOf(
  slices: readonly Slice[],
  rest: readonly Range[],
  total: Total,
  { show, ranges }: Selector,
  { name, tag, display }: Shown,
): string {
  if (show === "raw") {
    const text = slices.map(({ lines }) => lines.join("\n")).join("\n");
    return ranges.length === 0 && rest.length === 0 && total.ended ? `${text}\n` : text;
  }
  const blocks = slices.map(({ from, lines }) =>
    lines
      .map((line, i) => `${prefixOf(from + i, display)}${line.endsWith("\r") ? line.slice(0, -1) : line}`)
      .join("\n"),
  );
  const body = blocks.join("\n...\n");
  return display === "plain" ? body : `${headerOf(name, tag)}\n${body}`;
}

export const prefixOf = (number: number, display: Display): string =>
  display === "plain" ? "" : `${number}${markOf(display)}`;

/** The lines of a listing that were asked for, at most `many`, and what to say about the rest. */
export function chooseLines(
  lines: readonly string[],
  ranges: readonly Range[],
  { name, many, bytes }: { name: string; many: number; bytes: number },
): { text: string; meta: Pick<Meta, "limits" | "notes"> } {
  const chosen = ranges.length === 0 ? lines : ranges.flatMap(({ from, to }) => lines.slice(from - 1, to));
  const most = Math.max(1, Math.min(many, countFitting(chosen, bytes)));
  const shown = chosen.slice(0, most);
  const next = (ranges[0]?.from ?? 1) + most;
  return {
    text: chosen.length === 0 ? pastEnd(lines.length, ranges) : shown.join("\n"),
    meta:
      shown.length < chosen.length
        ? {
            limits: { headLimit: most },
            notes: [
              `There are ${lines.length} lines; go on with ${name}:${next}-${Math.min(lines.length, next + most - 1)}`,
            ],
          }
        : {},
  };
}

/** What is said about lines that are not there. */
const pastEnd = (total: number, ranges: readonly Range[]): string =>
  `Line ${ranges[0]?.from} is past the end: the last one is :${total}, the first :1`;

function longNotes(parts: Slice["long"], name: string): string[] {
  const [first, ...others] = parts;
  if (!first) return [];
  const next = `${name}:${first.from}@${first.after}`;
  if (others.length === 0) return [`Line ${first.from} is too long; only a part is shown, ${next} brings more of it`];
  const named = parts.slice(0, 10).map(({ from }) => from);
  const more = parts.length > 10 ? ` and ${parts.length - 10} more` : "";
  return [`Lines ${named.join(", ")}${more} are too long; only their beginnings are shown, ${next} brings more of one`];
}

/** What was left out, and the selector that brings as much again. */
function truncation(
  slices: readonly Slice[],
  rest: readonly Stretch[],
  total: Total,
  { show }: Selector,
  room: Room,
  { name }: Shown,
): NonNullable<Meta["truncation"]> {
  const [first, other] = slices;
  const lines = slices.reduce((sum, slice) => sum + slice.lines.length, 0);
  const next = rest.map(({ from, to }) => `${from}-${Math.min(to, from + lines - 1)}`);
  const full = lines >= Math.min(maxLines, room.limit);
  return {
    direction: "head",
    truncatedBy: full ? "lines" : "bytes",
    totalLines: total.lines,
    ...(total.counted === "at least" && { atLeast: true as const }),
    totalBytes: total.bytes,
    outputLines: lines,
    outputBytes: slices.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(first && !other && { shownRange: { start: first.from, end: first.from + first.lines.length - 1 } }),
    next: `${name}:${next.join(",")}${show === "raw" ? ":raw" : ""}`,
    ...(!full && { maxBytes: room.bytes }),
  };
}
