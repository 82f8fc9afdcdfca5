import { fstatSync } from "node:fs";
import { readRange } from "@pith/kit";
import type { Entry, Header } from "../../entry.ts";
import { validEntry } from "../../format/sound.ts";
import { parseObject } from "../../index/head.ts";
import { loadRows, readBeginning } from "../../index/open.ts";
import type { Rows } from "../../index/rows.ts";
import { scanLines } from "../../index/scan.ts";
import { sideFile } from "../../store/disk.ts";
import { textOf } from "../../text.ts";
import { withFile } from "../files.ts";

/** Facts of a session for a list. */
export interface Peek {
  header: Header;
  name: string | undefined;
  /** First prompt. */
  first: string | undefined;
  /** Number of messages, if there is an index. */
  messages: number | undefined;
}

const window = 64 << 10;
/** Second window, for a longer first prompt. */
const wideWindow = 2 << 20;

/** Reads the beginning of a session, its index if there is one, and what stands behind that. */
export function peekSession(file: string): Peek | undefined {
  return withFile(file, (fd) => {
    const { size } = fstatSync(fd);
    const read = (from: number, to: number) => readRange(fd, from, Math.min(to, size));
    const beginning = readBeginning((from, to) => read(from, Math.min(to, from + 8192)), Math.min(size, 8192));
    const whole = beginning === "damaged" ? readBeginning(read, size) : beginning;
    if (typeof whole === "string") return undefined;
    const { header, end } = whole;
    const head = entriesIn(read, end, Math.min(size, end + window));
    const rows = loadRows(sideFile(`${file}.idx`), read, size);
    const counted = rows && count(rows);
    const named =
      rows && counted && counted.named >= 0
        ? parse(read(rows.offset(counted.named), rows.offset(counted.named) + rows.length(counted.named)))
        : undefined;
    // Entries after the index are newer; without one, any entry may hold the name.
    const name =
      newestName(read, rows?.end ?? end, size) ?? nameIn(named ? [named] : []) ?? nameIn(head) ?? header.title;
    const first =
      firstSaid(head) ??
      (size > end + window ? firstSaid(entriesIn(read, end, Math.min(size, end + wideWindow))) : undefined);
    const messages = rows && counted ? counted.messages + countBehind(read, rows.end ?? size, size) : undefined;
    return { header, name: name || undefined, first, messages };
  });
}

/** Counts messages and finds the row of the newest name. */
function count(rows: Rows): { messages: number; named: number } {
  let messages = 0;
  let named = -1;
  for (let row = 0; row < rows.count; row++) {
    const code = rows.code(row);
    if (code === "user" || code === "assistant") messages++;
    else if (code === "session_info") named = row;
  }
  return { messages, named };
}

/** Messages behind an index: another program, or one that was killed, has written no newer one. */
function countBehind(read: (from: number, to: number) => Buffer, from: number, size: number): number {
  const entries = from < size ? entriesIn(read, from, Math.min(size, from + mostBehind)) : [];
  return entries.filter((entry) => entry.type === "message" && spoken.has(entry.message.role)).length;
}

const spoken: ReadonlySet<string> = new Set(["user", "assistant"]);
const mostBehind = 32 << 20;
const excerptLength = 200;

function firstSaid(entries: readonly Entry[]): string | undefined {
  for (const entry of entries) {
    if (entry.type !== "message" || entry.message.role !== "user") continue;
    const text = textOf(entry.message.content).replace(/\s+/g, " ").trim();
    if (text) return text.slice(0, excerptLength);
  }
  return undefined;
}

function nameIn(entries: readonly Entry[]): string | undefined {
  const info = entries.findLast((entry) => entry.type === "session_info");
  return info && (info.name ?? "").trim();
}

const mark = Buffer.from('"session_info"');
const chunk = 1 << 20;
/** Bytes that are searched without an index. */
const mostSearched = 256 << 20;
const mostMarks = 1000;

/** Searches backwards for the last entry that names the session, without parsing the others. */
function newestName(read: (from: number, to: number) => Buffer, from: number, size: number): string | undefined {
  const least = Math.max(from, size - mostSearched);
  let marks = 0;
  for (let to = size; to > least; to -= chunk) {
    const start = Math.max(least, to - chunk);
    // The mark may stand across two chunks.
    const bytes = read(start, to + mark.length);
    for (let at = bytes.lastIndexOf(mark); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(mark, at - 1)) {
      const name = nameIn(lineAround(read, start + at, size));
      if (name !== undefined || ++marks === mostMarks) return name;
    }
  }
  return undefined;
}

/** The entry of the line at an offset; nothing when the line is too long to be a name. */
function lineAround(read: (from: number, to: number) => Buffer, at: number, size: number): Entry[] {
  const from = Math.max(0, at - window);
  const bytes = read(from, Math.min(size, at + window));
  const start = bytes.lastIndexOf(10, at - from) + 1;
  const end = bytes.indexOf(10, at - from);
  const entry = end === -1 || (start === 0 && from > 0) ? undefined : parse(bytes.subarray(start, end));
  return entry ? [entry] : [];
}

function entriesIn(read: (from: number, to: number) => Buffer, from: number, to: number): Entry[] {
  const entries: Entry[] = [];
  for (const line of scanLines(read, from, to)) {
    const entry = line.bytes[0] === 123 ? parse(line.bytes) : undefined;
    if (entry) entries.push(entry);
  }
  return entries;
}

function parse(line: Buffer): Entry | undefined {
  const value = parseObject(line.toString("utf8"));
  return typeof value?.type === "string" ? validEntry(value) : undefined;
}
