import type { Header } from "../entry.ts";
import type { SideFile } from "../store/storage.ts";
import { headOf, isBlank, parseObject, readHead } from "./head.ts";
import { mostShown, none, Rows, rowBytes, unknown } from "./rows.ts";
import { type ReadBytes, type Scan, scan, scanLines } from "./scan.ts";

export interface Beginning {
  header: Header;
  /** Offset of the entries. */
  end: number;
  /** False if the newline after the header is missing. */
  whole: boolean;
}

/**
 * Reads the header and the lines before it. `damaged`: the first line cannot be read or is an entry; `foreign`: the
 * file is something else.
 */
export function readBeginning(read: ReadBytes, size: number): Beginning | "damaged" | "foreign" {
  let title: string | undefined;
  const readSome = (from: number, to: number) => read(from, Math.min(to, from + headerLimit));
  for (const line of scanLines(readSome, 0, Math.min(size, headerLimit))) {
    if (isBlank(line.bytes)) continue;
    const value = parseObject(line.bytes.toString("utf8").replace(/^\ufeff/, ""));
    if (value?.type === "title") {
      title = typeof value.title === "string" ? value.title : undefined;
      continue;
    }
    // A first line that is an entry has lost its header.
    if (value === undefined || headOf(value)) return "damaged";
    if (value.type !== "session" || typeof value.id !== "string") return "foreign";
    if (typeof value.title !== "string") delete value.title;
    if (title) value.title = title;
    if (typeof value.cwd !== "string") value.cwd = "";
    if (typeof value.timestamp !== "string") value.timestamp = new Date(0).toISOString();
    const header = value as unknown as Header;
    return { header, end: Math.min(size, line.offset + line.bytes.length + 1), whole: line.whole };
  }
  return "damaged";
}
const headerLimit = 1 << 20;

/** Beginning of an index file; the number changes with the format, and an older index is rebuilt. */
const magic = Buffer.from("pithidx3");

/** Loads the rows of an index file if they still match the session. */
export function loadRows(side: SideFile | undefined, read: ReadBytes, size: number): Rows | undefined {
  const bytes = side?.read();
  if (!bytes?.subarray(0, magic.length).equals(magic)) return undefined;
  const rows = Rows.from(bytes.subarray(magic.length));
  const last = rows.count - 1;
  if (last === none || (rows.end ?? 0) > size) return undefined;
  // If the last entry is in its place between two newlines, nothing before it has moved.
  const offset = rows.offset(last);
  const around = read(offset - 1, offset + rows.length(last) + 1);
  if (around?.[0] !== 10 || around.at(-1) !== 10) return undefined;
  const head = readHead(around.subarray(1, -1));
  return head && rows.mayBe(last, head.id) ? rows : undefined;
}

/** Appends rows from `from` on to the index file; 0 writes it anew. */
export function saveRows(side: SideFile, rows: Rows, from: number): void {
  if (from === 0) side.write(Buffer.concat([magic, rows.bytes(0)]), 0);
  else side.write(rows.bytes(from), magic.length + from * rowBytes);
}

/** Reads the end of a file: as many entries as the model is shown, in ever longer windows. */
export function tailRows(read: ReadBytes, begin: number, size: number): { rows: Rows; scan: Scan; whole: boolean } {
  for (let window = 1 << 20; ; window *= 4) {
    const from = Math.max(begin, size - window);
    const rows = new Rows();
    // The first line of a window is most likely cut; the next window would read the one before.
    const start = from === begin ? begin : nextLine(read, from, size);
    const whole = start === begin;
    const scanned = scan(read, start, size, rows, whole ? "gone" : "unread");
    if (whole || reachesFar(rows)) return { rows, scan: scanned, whole };
  }
}

function nextLine(read: ReadBytes, from: number, size: number): number {
  for (const line of scanLines(read, from, size)) return line.offset + line.bytes.length + 1;
  return size;
}

/** True if the path from the last row reaches a compaction and what it kept, or is longer than what is shown. */
function reachesFar(rows: Rows): boolean {
  let stop = -1;
  let bytes = 0;
  for (let row = rows.count - 1; row >= 0; row = rows.parent(row)) {
    if (stop === -1 && rows.code(row) === "compaction") {
      stop = rows.ref(row);
      if (stop < 0) return false;
    }
    if (stop !== -1 && row <= stop) return true;
    bytes += rows.length(row);
    if (stop === -1 && bytes > mostShown) return true;
    if (rows.parent(row) === unknown) return false;
  }
  return rows.count > 0;
}
