import { type Head, readHead } from "./head.ts";
import { none, type Rows, unknown } from "./rows.ts";

export type ReadBytes = (from: number, to: number) => Buffer | undefined;

export interface Line {
  offset: number;
  bytes: Buffer;
  /** False for what stands after the last newline. */
  whole: boolean;
}

const chunk = 1 << 20;

/**
 * The lines between two places of a file, a part at a time; the bytes of a line are good until the next one is asked for.
 * A line longer than any of ours could be is not held in memory: it is told as one that cannot be read.
 */
export function* linesOf(read: ReadBytes, from: number, to: number, longest = 1 << 28): Generator<Line> {
  let at = from;
  let window = chunk;
  let tooLong: number | undefined;
  const line = (offset: number, bytes: Buffer, whole: boolean): Line =>
    tooLong === undefined ? { offset, bytes, whole } : { offset: tooLong, bytes: unreadable, whole };
  while (at < to) {
    const bytes = read(at, Math.min(to, at + window)) ?? Buffer.alloc(0);
    if (bytes.length === 0) return;
    let start = 0;
    for (let stop = bytes.indexOf(10); stop !== -1; stop = bytes.indexOf(10, start)) {
      yield line(at + start, bytes.subarray(start, stop), true);
      tooLong = undefined;
      start = stop + 1;
    }
    if (at + bytes.length >= to) {
      if (start < bytes.length) yield line(at + start, bytes.subarray(start), false);
      return;
    }
    const unended = start === 0;
    if (unended && (tooLong !== undefined || window >= longest)) {
      tooLong ??= at;
      start = bytes.length;
    }
    // A line longer than the window is read again with a wider one.
    window = unended && tooLong === undefined ? window * 2 : chunk;
    at += start;
  }
}
const unreadable = Buffer.from("\0");

export interface Scan {
  /** Lines that are no entries. */
  damaged: number;
  /** Ids of entries whose parent is gone. */
  relinked: string[];
  /** What stands after the last newline, when it is no entry. */
  torn?: { offset: number };
  /** The last entry is whole but its newline is missing. */
  unended?: true;
}

/** What is not found above the first row: a root of a damaged file, or an entry before the part that is read. */
export type Above = "gone" | "unread";

/** Adds a row for every entry between two places. */
export function scan(read: ReadBytes, from: number, to: number, rows: Rows, above: Above, isIt: (row: number, id: string) => boolean): Scan {
  const result: Scan = { damaged: 0, relinked: [] };
  for (const line of linesOf(read, from, to)) scanLine(line, rows, above, isIt, result);
  return result;
}

export function scanLine(line: Line, rows: Rows, above: Above, isIt: (row: number, id: string) => boolean, result: Scan): void {
  const { offset, bytes, whole } = line;
  const head = isBlank(bytes) ? undefined : readHead(bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes);
  if (head) {
    if (!whole) result.unended = true;
    addRow(rows, head, offset, bytes.length, above, isIt, result);
  } else if (!whole) result.torn = { offset };
  else if (!isBlank(bytes)) result.damaged++;
}

function addRow(rows: Rows, head: Head, offset: number, length: number, above: Above, isIt: (row: number, id: string) => boolean, result: Scan): void {
  const parent = head.parentId === null ? none : find(rows, head.parentId, isIt);
  const lost = parent === none && head.parentId !== null;
  if (lost && above === "gone") result.relinked.push(head.id);
  rows.push({
    offset,
    length,
    parent: lost ? (above === "gone" ? rows.count - 1 : unknown) : parent,
    ref: head.refId === undefined ? none : head.refId === head.id ? rows.count : find(rows, head.refId, isIt),
    id: head.id,
    code: head.code,
    relinked: lost && above === "gone",
  });
}

const find = (rows: Rows, id: string, isIt: (row: number, id: string) => boolean) => rows.find(id, (row) => isIt(row, id));

const isBlank = (bytes: Buffer) => bytes.length === 0 || (bytes[0] !== 123 && bytes.toString("latin1").trim() === "");
