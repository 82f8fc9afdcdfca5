import { closeSync, fstatSync } from "node:fs";
import { type Database, messageOf, openPlain, readRange, type SqlValue, sleep, sumOf, tryOr } from "@pith/kit";
import type { Entry } from "../../entry.ts";
import { validEntry } from "../../format/sound.ts";
import { parseObject, readHead } from "../../index/head.ts";
import { scanLines } from "../../index/scan.ts";
import { withFile } from "../files.ts";
import { forgetSession, listSessions } from "./database.ts";
import { searchTextOf } from "./searchable.ts";
import { spacedWords } from "./words.ts";

export interface SearchQuery {
  /** Words, all of which must occur; "several words" in quotes are adjacent; a word* is a prefix. */
  text: string;
  /** Only sessions in this folder; one database may have several. */
  folder?: string;
  /** Working directory. */
  cwd?: string;
  /** Working directory, or one above it. */
  project?: string;
  since?: number;
  until?: number;
  /** Part of `vendor/id`: answers of that model, and what led to them. */
  model?: string;
  tool?: string;
  /** Part of the path of a file that was read or changed. */
  file?: string;
  limit: number;
}

export interface SearchHit {
  file: string;
  session: string;
  cwd: string;
  name: string | undefined;
  entry: string;
  role: string;
  time: number;
  /** Text around the first match. */
  excerpt: string;
}

export interface SearchProgress {
  done: number;
  total: number;
}

/** Batch sizes and pauses: for somebody who waits, or in the background. */
const paces = { "at once": { bytes: 4 << 20, pauseMs: 0 }, gently: { bytes: 256 << 10, pauseMs: 20 } };

export interface Refreshing {
  pace?: keyof typeof paces;
  tell?: (progress: SearchProgress) => void;
  signal?: AbortSignal;
}

/** Indexes new entries, a batch at a time. Safe beside other processes that do the same. */
export async function refreshSearch(
  database: Database,
  sessions: string,
  { pace = "at once", tell, signal }: Refreshing = {},
): Promise<void> {
  const { bytes, pauseMs } = paces[pace];
  listSessions(database, sessions);
  // Oldest first, so that keys of entries grow with time.
  const behind = database.all<{ key: number; file: string; size: number; indexed: number }>(
    "SELECT key, file, size, indexed FROM session WHERE size <> indexed ORDER BY mtime",
  );
  const total = sumOf(behind, (row) => Math.max(0, row.size - row.indexed));
  let done = 0;
  for (const { key, file } of behind) {
    const fd = tryOr(() => openPlain(file, "followed"));
    if (fd === undefined) continue;
    try {
      for (let read = readBatch(database, key, fd, bytes); read > 0; read = readBatch(database, key, fd, bytes)) {
        done += read;
        tell?.({ done, total });
        if ((await sleep(pauseMs, signal)) === "aborted") return;
      }
    } catch (error) {
      // Another process is indexing, or the disk is full: what is indexed can be searched.
      if (!/locked|busy|full/i.test(messageOf(error))) throw error;
      return;
    } finally {
      closeSync(fd);
    }
  }
}

/** Indexes one batch; returns the bytes read, 0 at the end of the file. */
function readBatch(database: Database, key: number, fd: number, most: number): number {
  return database.transact(() => {
    const query = "SELECT indexed, last FROM session WHERE key = ?";
    const [row] = database.all<{ indexed: number; last: string | null }>(query, key);
    if (!row) return 0;
    const { size } = fstatSync(fd);
    let from = row.indexed;
    if (from > size || (row.last !== null && !stillThere(fd, from, row.last))) {
      forgetSession(database, key, "words");
      from = 0;
    }
    let end = from;
    let last = row.last;
    for (const line of scanLines((start, stop) => readRange(fd, start, stop), from, size)) {
      if (!line.whole || line.offset - from > most) break;
      end = line.offset + line.bytes.length + 1;
      last = takeIn(database, key, line.offset, line.bytes) ?? last;
    }
    if (end !== row.indexed) database.run("UPDATE session SET indexed = ?, last = ? WHERE key = ?", end, last, key);
    return end - from;
  });
}

function takeIn(database: Database, session: number, offset: number, bytes: Buffer): string | undefined {
  const entry = entryOf(bytes);
  if (!entry) return undefined;
  const said = searchTextOf(entry);
  if (!said) return `${entry.id} ${bytes.length}`;
  database.run(
    "INSERT INTO entry (session, id, offset, length, time, role, model, tools) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    ...[session, entry.id, offset, bytes.length, said.time, said.role, said.model ?? null, said.tools ?? null],
  );
  // Messages before an answer belong to its model.
  if (said.model) database.run("UPDATE entry SET model = ? WHERE session = ? AND model IS NULL", said.model, session);
  const [text, files] = [spacedWords(said.text), spacedWords(said.files)];
  database.run("INSERT INTO words (rowid, text, files) VALUES (?, ?, ?)", database.added(), text, files);
  return `${entry.id} ${bytes.length}`;
}

/** Parses a line; entries of version 1 have no ids and are found all the same. */
function entryOf(line: Buffer): Entry | undefined {
  const value = parseObject(line.toString("utf8"));
  return typeof value?.type === "string" ? validEntry({ id: "", ...value }) : undefined;
}

/** True if the last indexed entry still ends where it did. */
function stillThere(fd: number, end: number, last: string): boolean {
  const [id, length = "0"] = last.split(" ");
  const bytes = readRange(fd, end - Number(length) - 1, end);
  return bytes.at(-1) === 10 && (readHead(bytes.subarray(0, -1))?.id ?? "") === id;
}

/** Searches sessions; the newest hits first. */
export function searchSessions(database: Database, query: SearchQuery): SearchHit[] {
  const match = matchOf(query);
  // The text has no words; without a text only the other conditions count.
  if (match === undefined && query.text.trim() !== "") return [];
  const { where, values } = filterOf(query);
  // The word index returns rows in key order; another name for the same number would make SQLite sort them.
  const [from, key] =
    match === undefined ? ["entry e", "e.key"] : ["words w CROSS JOIN entry e ON e.key = w.rowid", "w.rowid"];
  // Keys grow roughly with time: the newest candidates are fetched by key, then sorted by time.
  const rows = database.all<HitRow>(
    `SELECT e.offset, e.length, e.id AS entry, e.time, e.role, s.file, s.id AS session, s.cwd, s.name
     FROM ${from} CROSS JOIN session s ON s.key = e.session
     WHERE ${match === undefined ? "true" : "words MATCH ?"} ${where} ORDER BY ${key} DESC LIMIT ?`,
    ...(match === undefined ? [] : [match]),
    ...values,
    Math.max(query.limit, candidates),
  );
  return rows
    .sort((a, b) => b.time - a.time)
    .slice(0, query.limit)
    .map((row) => hitOf(row, query.text));
}
const candidates = 500;

interface HitRow extends Omit<SearchHit, "name" | "excerpt"> {
  offset: number;
  length: number;
  name: string | null;
}

function filterOf(query: SearchQuery): { where: string; values: SqlValue[] } {
  const conditions: [string, SqlValue | undefined][] = [
    ["substr(s.file, 1, length(?) + 1) = ? || '/'", query.folder],
    ["s.cwd = ?", query.cwd],
    ["(s.cwd = ? OR substr(s.cwd, 1, length(?) + 1) = ? || '/')", query.project],
    ["e.time >= ?", query.since],
    ["e.time < ?", query.until],
    ["instr(lower(e.model), lower(?)) > 0", query.model],
    ["(',' || e.tools || ',') LIKE '%,' || ? || ',%'", query.tool],
  ];
  const used = conditions.filter((condition): condition is [string, SqlValue] => condition[1] !== undefined);
  const values = used.flatMap(([sql, value]) => [...sql].filter((sign) => sign === "?").map(() => value));
  return { where: used.map(([sql]) => `AND ${sql}`).join(" "), values };
}

/** The query in FTS syntax; every word is quoted, so that none is an operator. */
function matchOf(query: SearchQuery): string | undefined {
  const words = wordsOf(query.text).map(
    ({ text, begins }) => `text : "${spacedWords(text.replaceAll('"', '""'))}"${begins ? " *" : ""}`,
  );
  const file = query.file && spacedWords(query.file.replace(/[^\p{L}\p{N}]+/gu, " ")).trim();
  const parts = [...words, ...(file ? [`files : "${file}"`] : [])];
  return parts.length > 0 ? parts.map((part) => `(${part})`).join(" AND ") : undefined;
}

function wordsOf(text: string): { text: string; begins: boolean }[] {
  return [...text.matchAll(/"([^"]+)"|(\S+)/g)]
    .map(([, quoted, word = ""]) => ({
      text: quoted ?? word.replace(/\*$/, "").replaceAll('"', ""),
      begins: quoted === undefined && word.endsWith("*"),
    }))
    .filter((word) => /[\p{L}\p{N}]/u.test(word.text));
}

function hitOf(row: HitRow, text: string): SearchHit {
  const bytes = withFile(row.file, (fd) => readRange(fd, row.offset, row.offset + row.length));
  const entry = bytes && entryOf(bytes);
  const { offset: _, length: __, name, ...rest } = row;
  return { ...rest, name: name || undefined, excerpt: excerptOf((entry && searchTextOf(entry)?.text) ?? "", text) };
}

const around = 80;
function excerptOf(said: string, text: string): string {
  const plain = said.replace(/\s+/g, " ");
  const low = plain.toLowerCase();
  const places = wordsOf(text).map((word) => Math.max(0, low.indexOf(word.text.toLowerCase())));
  const at = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - around);
  const cut = plain.slice(at, at + 3 * around).trim();
  return `${at > 0 ? "…" : ""}${cut}${at + 3 * around < plain.length ? "…" : ""}`;
}
