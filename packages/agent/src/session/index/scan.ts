import { type Head, isBlank, readHead } from "./head.ts";
import { none, type Rows, unknown } from "./rows.ts";

export type ReadBytes = (from: number, to: number) => Buffer | undefined;

export interface ScannedLine {
  offset: number;
  bytes: Buffer;
  /** False for text after the last newline. */
  whole: boolean;
}

const chunk = 1 << 20;

/**
 * Lines between two offsets, read in parts; the bytes of a line are valid until the next one. A line longer than any of
 * ours is not held in memory and counts as unreadable.
 */
export function* scanLines(read: ReadBytes, from: number, to: number, longest = 1 << 28): Generator<ScannedLine> {
  let held = new PartialLine(from);
  for (let at = from; at < to; ) {
    const bytes = read(at, Math.min(to, at + chunk)) ?? Buffer.alloc(0);
    if (bytes.length === 0) break;
    let start = 0;
    for (let stop = bytes.indexOf(10); stop !== -1; stop = bytes.indexOf(10, start)) {
      yield { offset: held.offset, bytes: held.with(bytes.subarray(start, stop), longest), whole: true };
      start = stop + 1;
      held = new PartialLine(at + start);
    }
    held.add(bytes.subarray(start), longest);
    at += bytes.length;
  }
  if (held.length > 0) yield { offset: held.offset, bytes: held.with(Buffer.alloc(0), longest), whole: false };
}
const unreadable = Buffer.from("\0");

/** An incomplete line. */
class PartialLine {
  length = 0;
  readonly offset: number;
  #parts: Buffer[] = [];

  constructor(offset: number) {
    this.offset = offset;
  }

  add(part: Buffer, longest: number): void {
    this.length += part.length;
    if (this.length > longest) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  with(end: Buffer, longest: number): Buffer {
    if (this.length === 0) return end;
    this.add(end, longest);
    return this.length > longest ? unreadable : Buffer.concat(this.#parts);
  }
}

export interface Scan {
  /** Unreadable lines. */
  damaged: number;
  /** Lines that occur twice. */
  repeated: number;
  /** Entries whose parent is missing. */
  relinked: string[];
  /** New ids of entries whose id was already used. */
  renamed: string[];
  /** Set if the text after the last newline is no entry. */
  torn?: { offset: number };
  /** Set if the last entry lacks its newline. */
  unended?: true;
}

/** Reason for a missing parent: a damaged file, or an entry before the part that is read. */
export type Above = "gone" | "unread";

/** Adds rows for the entries between two offsets. */
export function scan(read: ReadBytes, from: number, to: number, rows: Rows, above: Above): Scan {
  const scanner = new Scanner(read, rows, above);
  for (const line of scanLines(read, from, to)) scanner.take(line);
  return scanner.result;
}

/**
 * Turns lines into rows. Whatever the lines say, ids are unique and a parent comes before its children, so there are no
 * cycles.
 */
export class Scanner {
  readonly result: Scan = { damaged: 0, repeated: 0, relinked: [], renamed: [] };
  readonly #read: ReadBytes;
  readonly #rows: Rows;
  readonly #above: Above;
  readonly #renamed = new Map<string, string>();

  constructor(read: ReadBytes, rows: Rows, above: Above) {
    this.#read = read;
    this.#rows = rows;
    this.#above = above;
  }

  take({ offset, bytes, whole }: ScannedLine): void {
    const head = readHead(bytes);
    if (head) {
      if (!whole) this.result.unended = true;
      this.#add(head, offset, bytes);
    } else if (!whole) this.result.torn = { offset };
    else if (!isBlank(bytes)) this.result.damaged++;
  }

  #add(head: Head, offset: number, bytes: Buffer): void {
    const rows = this.#rows;
    const twin = this.#find(head.id);
    if (twin !== none && lineOf(this.#read, rows, twin)?.equals(bytes)) {
      this.result.repeated++;
      return;
    }
    const id = twin === none ? head.id : `${head.id}-${rows.count}`;
    if (twin !== none) {
      this.#renamed.set(head.id, id);
      this.result.renamed.push(id);
    }
    const above = head.parentId === null ? undefined : (this.#renamed.get(head.parentId) ?? head.parentId);
    const parent = above === undefined ? none : this.#find(above);
    const lost = parent === none && above !== undefined;
    if (lost && this.#above === "gone") this.result.relinked.push(id);
    rows.push({
      offset,
      length: bytes.length,
      parent: lost ? (this.#above === "gone" ? rows.count - 1 : unknown) : parent,
      ref: head.refId === undefined ? none : head.refId === head.id ? rows.count : this.#find(head.refId),
      id,
      code: head.code,
      name: head.name,
      relinked: (lost && this.#above === "gone") || (!lost && above !== undefined && above !== head.parentId),
      renamed: twin !== none,
    });
  }

  #find(id: string): number {
    return this.#rows.find(id, (row) => idAt(this.#read, this.#rows, row) === id);
  }
}

const lineOf = (read: ReadBytes, rows: Rows, row: number) =>
  read(rows.offset(row), rows.offset(row) + rows.length(row));

function idAt(read: ReadBytes, rows: Rows, row: number): string | undefined {
  const id = readHead(lineOf(read, rows, row) ?? Buffer.alloc(0))?.id;
  return id === undefined ? undefined : idIn(rows, row, id);
}

/** Id of a row; differs from that of its line if it was renamed. */
export const idIn = (rows: Rows, row: number, id: string): string => (rows.isRenamed(row) ? `${id}-${row}` : id);
