import type { Meta, Outcome } from "@pith/agent";
import type { Page, PageRequest } from "@pith/host";
import { byteLength, defined, headBytes, ok, type Result, splitLines, sumOf } from "@pith/kit";
import type { LineSet } from "../../../snapshot/seen.ts";
import { countFitting } from "../../../tools/cut.ts";
import { type Display, headerOf, markOf } from "../../../tools/display.ts";
import { metaOf } from "../../../tools/meta.ts";
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
  /** True if the last line has an end. */
  ended: boolean;
}

/** The document that a page is of. */
export interface PageInfo {
  name: string;
  source: NonNullable<Meta["source"]>;
  /** The tag of the content, for an edit; without one, it cannot be edited here. */
  tag?: string | undefined;
  display: Display;
  notes?: readonly string[];
  /** True for a log, a table and the like, of which the end tells as much as the beginning. */
  hasEnd?: boolean;
  /** Called with the lines that are shown. */
  onShown?(lines: LineSet): void;
}

/** Lines shown around a range, so that its place can be told. */
const around = { before: 1, after: 3 };
/** Bytes shown of such a line. */
const maxAside = 512;
/** The most lines of an answer, however many are asked for, and however many the setting says. */
export const maxLines = 1000;

/** The room of an answer: lines where the end is open, and bytes. */
export interface Room {
  limit: number;
  bytes: number;
}

/** Lines to fetch, with those around them; `lead` of them only tell where the rest begins. */
interface Window extends Range {
  lead: number;
  /** Lines that may come, when there is room for them. */
  most: number;
  /** Bytes of a single line: it must not take everything from the others. */
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

/** Fills the room of an answer, one window after the other. */
class Filling {
  readonly slices: Slice[] = [];
  readonly #display: Display;
  #lines = maxLines;
  #bytes: number;

  constructor({ bytes }: Room, { display }: PageInfo) {
    this.#bytes = bytes;
    this.#display = display;
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
      const bytes = byteLength(head) + 1 + prefixOf(from + i, this.#display).length;
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

/** Shows a text that is in memory, as much of it as was asked for. `bytes` are those of its file. */
export function showText(
  text: string,
  selector: Selector,
  room: Room,
  info: PageInfo,
  bytes = byteLength(text),
): Outcome<"page"> {
  const lines = splitLines(text);
  const filling = new Filling(room, info);
  const wanted = withoutLast(selector, lines.length);
  const ends = info.hasEnd && isWhole(wanted) ? endsOf(lines, room, info) : undefined;
  for (const window of ends ?? windowsOf(wanted, room))
    filling.add(window, lines.slice(window.from - 1, window.to).map(behind(window)));
  const total: Total = { lines: lines.length, counted: "exactly", bytes, ended: text.endsWith("\n") };
  return showPage({ slices: filling.slices, total, selector: wanted, room, info });
}

/** The selector with the last lines as a range. */
const withoutLast = ({ last, ...selector }: Selector, total: number): Selector =>
  last === undefined ? selector : { ...selector, ranges: [{ from: Math.max(1, total - last + 1) }] };

const isWhole = ({ ranges, show }: Selector): boolean => ranges.length === 0 && show === "numbered";

/** Shares of the room for the beginning and the end of a text that does not fit. */
const shares = { head: 0.6, end: 0.3 };

/** The beginning and the end of lines, where not all of them fit. */
function endsOf(lines: readonly string[], { limit, bytes }: Room, { display }: PageInfo): Window[] | undefined {
  const size = (line: string, number: number) => byteLength(line) + 1 + prefixOf(number, display).length;
  const fitting = (share: number, sizes: Iterator<number>) => {
    let [count, left] = [0, bytes * share];
    const most = Math.floor(Math.min(maxLines, limit) * share);
    for (let next = sizes.next(); !next.done && count < most && left >= next.value; next = sizes.next()) {
      left -= next.value;
      count++;
    }
    return count;
  };
  if (lines.length <= limit && sumOf(lines, (line) => byteLength(line) + 1) + lines.length * 8 <= bytes)
    return undefined;
  const head = fitting(
    shares.head,
    lines.values().map((line, i) => size(line, i + 1)),
  );
  const end = fitting(
    shares.end,
    lines
      .toReversed()
      .values()
      .map((line) => size(line, lines.length)),
  );
  if (head === 0 || end === 0 || head + end >= lines.length) return undefined;
  return [windowOf(1, head, bytes), windowOf(lines.length - end + 1, lines.length, bytes)];
}

const windowOf = (from: number, to: number, bytes: number): Window => ({
  from,
  to,
  lead: 0,
  most: to - from + 1,
  maxLine: Math.max(maxAside, Math.floor(bytes / 4)),
});

/** The part of a line behind some bytes, without a letter that they cut. */
const behind =
  ({ after }: Range) =>
  (line: string): string =>
    after === undefined
      ? line
      : Buffer.from(line)
          .subarray(after)
          .toString()
          .replace(/^\ufffd+/, "");

/** Shows a file that is too large to be held. */
export async function showStream<K extends string>(
  read: (request: PageRequest) => Promise<Result<Page, K>>,
  selector: Selector,
  room: Room,
  info: PageInfo,
  signal: AbortSignal,
): Promise<Result<Outcome<"page">, K>> {
  const filling = new Filling(room, info);
  const notes = new Set(info.notes);
  let total: Total = { lines: 0, counted: "exactly", bytes: 0, ended: true };
  const ends = info.hasEnd && isWhole(selector);
  const all = ends || selector.last !== undefined ? await read({ ...nothingOf, signal }) : undefined;
  if (all && !all.ok) return all;
  const wanted = withoutLast(selector, all?.value.totalLines ?? 0);
  for (const window of (ends && all && streamEnds(all.value, room)) || windowsOf(wanted, room)) {
    const { from, to, lead, maxLine, after } = window;
    const left = filling.left(window);
    if (left.lines <= 0 || left.bytes <= 0) break;
    const page = await read({
      from,
      to,
      after,
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
  return ok(showPage({ slices: filling.slices, total, selector: wanted, room, info: { ...info, notes: [...notes] } }));
}

/** A request for no line, which counts all. */
const nothingOf = { from: Number.MAX_SAFE_INTEGER, maxLines: 1, maxBytes: 1 };

/** The beginning and the end of a file that is too large to be held, by the usual length of its lines. */
function streamEnds({ totalLines, totalBytes }: Page, { limit, bytes }: Room): Window[] | undefined {
  const usual = totalBytes / Math.max(1, totalLines) + 10;
  const count = (share: number) => Math.floor(Math.min((bytes * share) / usual, Math.min(maxLines, limit) * share));
  const [head, end] = [count(shares.head), count(shares.end)];
  if (head === 0 || end === 0 || head + end >= totalLines) return undefined;
  return [windowOf(1, head, bytes), windowOf(totalLines - end + 1, totalLines, bytes)];
}

interface FilledPage {
  slices: readonly Slice[];
  total: Total;
  selector: Selector;
  room: Room;
  info: PageInfo;
}

/** A page as a result: its text, and the facts about the lines that are left out. */
function showPage(page: FilledPage): Outcome<"page"> {
  const { slices, total, selector, info } = page;
  const { name, source, tag, notes = [] } = info;
  const [first, last] = [slices[0], slices.at(-1)];
  const counts = { totalLines: total.lines, bytes: total.bytes };
  const past = selector.ranges.filter(({ from }) => from > total.lines);
  if (!first || !last || (past.length > 0 && past.length === selector.ranges.length)) {
    const empty = tag === undefined ? "(empty file)" : `${headerOf(name, tag)}\n(empty file)`;
    const text = total.lines === 0 ? empty : pastEnd(total.lines, past);
    return { kind: "page", data: { path: name, ...counts }, text, meta: metaOf({ source, notes }) };
  }
  info.onShown?.(slices.map((slice) => [slice.from, endOf(slice)] as const));
  const rest = restOf(page);
  const long = slices.flatMap((slice) => slice.long);
  const all = [...longNotes(long, name), ...(past.length > 0 ? [pastEnd(total.lines, past)] : []), ...notes];
  return {
    kind: "page",
    data: { path: name, from: first.from, to: endOf(last), ...counts },
    text: textOf(page, rest),
    meta: metaOf({ source, truncation: rest.length > 0 ? truncation(page, rest) : undefined, notes: all }),
  };
}

const endOf = ({ from, lines }: Slice): number => from + lines.length - 1;

type Stretch = Required<Pick<Range, "from" | "to">>;

/** The lines that were asked for and are there, and are not shown. */
function restOf({ slices, total, selector, info }: FilledPage): Stretch[] {
  const { ranges } = selector;
  const [first, other] = slices;
  if (info.hasEnd && isWhole(selector) && first && other) return [{ from: endOf(first) + 1, to: other.from - 1 }];
  const there = total.counted === "exactly" ? total.lines : Number.POSITIVE_INFINITY;
  return (ranges.length === 0 ? [{ from: 1 }] : ranges).flatMap(({ from, to = there }: Range) => {
    const slice = slices.find((slice) => slice.from <= from && endOf(slice) >= from);
    const next = slice ? endOf(slice) + 1 : from;
    return next <= Math.min(to, there) ? [{ from: next, to: Math.min(to, there) }] : [];
  });
}

function textOf({ slices, total, selector, info }: FilledPage, rest: readonly Range[]): string {
  const { name, tag, display } = info;
  if (selector.show === "raw") {
    const text = slices.map(({ lines }) => lines.join("\n")).join("\n");
    return selector.ranges.length === 0 && rest.length === 0 && total.ended ? `${text}\n` : text;
  }
  const row = (line: string, number: number) => prefixOf(number, display) + line.replace(/\r$/, "");
  const blocks = slices.map(({ from, lines }) => lines.map((line, i) => row(line, from + i)).join("\n"));
  const body = blocks.join("\n...\n");
  return display === "plain" ? body : `${headerOf(name, tag)}\n${body}`;
}

export const prefixOf = (number: number, display: Display): string =>
  display === "plain" ? "" : `${number}${markOf(display)}`;

/** The lines of a listing that were asked for, at most `many`, and the facts about the rest. */
export function chooseLines(
  lines: readonly string[],
  ranges: readonly Range[],
  { name, many, bytes }: { name: string; many: number; bytes: number },
): { text: string; limits?: Meta["limits"]; notes: string[] } {
  const chosen = ranges.length === 0 ? lines : ranges.flatMap(({ from, to }) => lines.slice(from - 1, to));
  const most = Math.max(1, Math.min(many, countFitting(chosen, bytes)));
  const text = chosen.length === 0 ? pastEnd(lines.length, ranges) : chosen.slice(0, most).join("\n");
  if (most >= chosen.length) return { text, notes: [] };
  const next = (ranges[0]?.from ?? 1) + most;
  const range = `${next}-${Math.min(lines.length, next + most - 1)}`;
  const note = `There are ${lines.length} lines; go on with ${name}:${range}`;
  return { text, limits: { headLimit: most }, notes: [note] };
}

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

/** The facts about the lines that are left out, with the selector that brings as much again. */
function truncation(
  { slices, total, selector, room, info }: FilledPage,
  rest: readonly Stretch[],
): NonNullable<Meta["truncation"]> {
  const [first, other] = slices;
  const lines = sumOf(slices, (slice) => slice.lines.length);
  const next = rest.map(({ from, to }) => `${from}-${Math.min(to, from + lines - 1)}`);
  const isEnds = info.hasEnd && other !== undefined && isWhole(selector);
  const bytes = sumOf(slices, (slice) => slice.bytes);
  const full = isEnds ? bytes < room.bytes / 2 : lines >= Math.min(maxLines, room.limit);
  return defined({
    direction: isEnds ? ("middle" as const) : ("head" as const),
    truncatedBy: full ? ("lines" as const) : ("bytes" as const),
    totalLines: total.lines,
    atLeast: total.counted === "at least" ? (true as const) : undefined,
    totalBytes: total.bytes,
    outputLines: lines,
    outputBytes: bytes,
    shownRange: first && !other ? { start: first.from, end: endOf(first) } : undefined,
    next: `${info.name}:${next.join(",")}${selector.show === "raw" ? ":raw" : ""}`,
    maxBytes: full ? undefined : room.bytes,
  });
}
