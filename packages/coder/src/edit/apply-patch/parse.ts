import { fail, ok, type Result } from "@pith/kit";
import type { Row } from "../text/row.ts";

export type PatchHunk =
  | { do: "add"; path: string; content: string }
  | { do: "delete"; path: string }
  | { do: "update"; path: string; moveTo?: string; chunks: Chunk[] };

export interface Chunk {
  /** Lines to go to one after the other before the old lines are looked for: a class, then a method of it. */
  contexts: string[];
  rows: Row[];
  /** The old lines are at the end of the file. */
  atEnd: boolean;
}

const begin = "*** Begin Patch";
const end = "*** End Patch";
const endOfFile = "*** End of File";
const headers = {
  add: "*** Add File: ",
  delete: "*** Delete File: ",
  update: "*** Update File: ",
  move: "*** Move to: ",
};

/** The form in which a patch that cannot be read is reported. */
export type Unreadable = "patch";

/** Reads a whole patch. `lenient` also takes one wrapped in a here-document; `strict` does not. */
export function parsePatch(input: string, mode: "lenient" | "strict" = "lenient"): Result<PatchHunk[], Unreadable> {
  const rows = rowsOf(input.trim());
  const bad = envelope(rows);
  if (!bad) return parseHunks(rows.slice(1, -1), "whole");
  const inner = mode === "lenient" ? unwrap(rows) : undefined;
  if (!inner) return bad;
  return envelope(inner) ?? parseHunks(inner.slice(1, -1), "whole");
}

/** Reads as much as has arrived; the last hunk, still incomplete, is left out. For showing only, never for applying. */
export function parseArriving(input: string): PatchHunk[] {
  const rows = rowsOf(input.trimStart());
  if (rows[0]?.trim() !== begin) return [];
  const stop = rows.findIndex((row) => row.trim() === end);
  // The last row may be cut anywhere.
  const parsed = parseHunks(rows.slice(1, stop === -1 ? -1 : stop), stop === -1 ? "arriving" : "whole");
  return parsed.ok ? parsed.value : [];
}

/**
 * A line end that a carriage return belongs to is still only a line end: which one the file has is for the file to say.
 */
const rowsOf = (input: string): string[] =>
  input.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));

function envelope(rows: readonly string[]) {
  if (rows[0]?.trim() !== begin) return fail("patch", `A patch begins with the line '${begin}'`);
  if (rows.length < 2 || rows.at(-1)?.trim() !== end) return fail("patch", `A patch ends with the line '${end}'`);
  return undefined;
}

function unwrap(rows: readonly string[]): string[] | undefined {
  const opener = ["<<EOF", "<<'EOF'", '<<"EOF"'].includes(rows[0] ?? "");
  return opener && rows.length >= 4 && rows.at(-1)?.trim() === "EOF" ? rows.slice(1, -1) : undefined;
}

/** Walks over the rows between the markers. */
function parseHunks(rows: readonly string[], how: "whole" | "arriving"): Result<PatchHunk[], Unreadable> {
  const hunks: PatchHunk[] = [];
  for (let at = 0; at < rows.length; ) {
    const hunk = parseHunk(rows, at);
    if (!hunk.ok) {
      if (how === "arriving") break;
      return hunk;
    }
    at = hunk.value.next;
    if (at < rows.length || how === "whole" || hunk.value.hunk.do === "delete") hunks.push(hunk.value.hunk);
  }
  return ok(hunks);
}

interface Read {
  hunk: PatchHunk;
  next: number;
}

function parseHunk(rows: readonly string[], at: number): Result<Read, Unreadable> {
  const row = (rows[at] ?? "").trim();
  // The header is compared after trimming, and needs its space: a path follows.
  const path = (header: string) =>
    row.startsWith(header) && row.length > header.length ? row.slice(header.length) : undefined;
  const added = path(headers.add);
  if (added !== undefined) {
    let next = at + 1;
    while (rows[next]?.startsWith("+")) next++;
    const lines = rows.slice(at + 1, next).map((text) => `${text.slice(1)}\n`);
    return ok({ hunk: { do: "add", path: added, content: lines.join("") }, next });
  }
  const deleted = path(headers.delete);
  if (deleted !== undefined) return ok({ hunk: { do: "delete", path: deleted }, next: at + 1 });
  const updated = path(headers.update);
  if (updated !== undefined) return parseUpdate(updated, rows, at);
  return wrong(
    at,
    `'${row}' begins nothing; '*** Add File: PATH', '*** Delete File: PATH' and '*** Update File: PATH' do`,
  );
}

function parseUpdate(path: string, rows: readonly string[], head: number): Result<Read, Unreadable> {
  let at = head + 1;
  const move = (rows[at] ?? "").trim();
  const moveTo =
    move.startsWith(headers.move) && move.length > headers.move.length ? move.slice(headers.move.length) : undefined;
  if (moveTo !== undefined) at++;
  const chunks: Chunk[] = [];
  while (at < rows.length) {
    const row = rows[at] ?? "";
    if (row.trim() === "") {
      at++;
      continue;
    }
    if (row.startsWith("***")) break;
    const chunk = parseChunk(rows, at, chunks.length === 0 ? "first" : "later");
    if (!chunk.ok) return chunk;
    chunks.push(chunk.value.chunk);
    at = chunk.value.next;
  }
  if (chunks.length === 0 && moveTo === undefined) return wrong(head, `the update of ${path} has no rows`);
  return ok({ hunk: { do: "update", path, moveTo, chunks }, next: at });
}

interface ReadChunk {
  chunk: Chunk;
  next: number;
}

function parseChunk(rows: readonly string[], start: number, which: "first" | "later"): Result<ReadChunk, Unreadable> {
  let at = start;
  while (isMarker(rows[at])) at++;
  if (at === start && which === "later")
    return wrong(start, `a further hunk begins with @@, not with '${rows[start]}'`);
  const contexts = rows.slice(start, at).flatMap((row) => (row.trimEnd() === "@@" ? [] : [row.slice(3)]));
  const read = parseRows(rows, at);
  if (!read.ok) return read;
  const { chunk, next } = read.value;
  if (chunk.rows.length === 0) return wrong(at, "the hunk has no rows");
  if (chunk.rows.every((row) => row.sign === " ")) return wrong(start, "the hunk changes nothing");
  return ok({ chunk: { ...chunk, contexts }, next });
}

const isMarker = (row = ""): boolean => row.trimEnd() === "@@" || row.startsWith("@@ ");

/** The rows up to the next marker. The end-of-file marker is looked for before the others: it begins like them. */
function parseRows(rows: readonly string[], start: number): Result<ReadChunk, Unreadable> {
  const chunk: Chunk = { contexts: [], rows: [], atEnd: false };
  let at = start;
  for (; at < rows.length; at++) {
    const row = rows[at] ?? "";
    if (row.trimEnd() === endOfFile) return ok({ chunk: { ...chunk, atEnd: true }, next: at + 1 });
    if (row.startsWith("***") || isMarker(row)) break;
    const sign = row === "" ? " " : row[0];
    if (sign !== " " && sign !== "-" && sign !== "+") {
      return wrong(at, `'${row}' begins neither with a space (kept) nor with + (added) or - (removed)`);
    }
    chunk.rows.push({ sign, text: row.slice(1) });
  }
  return ok({ chunk, next: at });
}

/** `at` counts from the row after the opening marker. */
const wrong = (at: number, message: string) => fail("patch", `line ${at + 2} of the patch: ${message}`);
