import { char } from "./character.ts";
import { type Awaited, Reader } from "./reader.ts";
import type { Word } from "./tree.ts";
import { insideDouble } from "./word/expansion.ts";
import { Pieces, Splice } from "./word/segments.ts";

/** Goes past blanks and a comment. */
export function blanks(reader: Reader): undefined {
  let code = reader.look();
  while (code === char.space || code === char.tab) {
    reader.at++;
    code = reader.look();
  }
  if (code !== char.hash) return;
  const end = reader.source.indexOf("\n", reader.at);
  reader.at = end === -1 ? reader.source.length : end;
}

/** Goes past blanks, comments and newlines, and takes in the here-documents that begin there. */
export function newlines(reader: Reader): undefined {
  blanks(reader);
  while (newline(reader)) blanks(reader);
}

/** Goes past a newline and the here-documents behind it. */
export function newline(reader: Reader): boolean {
  if (!reader.take(char.newline)) return false;
  const awaited = reader.awaited;
  reader.awaited = [];
  for (const document of awaited) takeDocument(reader, document);
  return true;
}

function takeDocument(reader: Reader, document: Awaited): undefined {
  const { source } = reader;
  const start = reader.at;
  const text = new Splice();
  while (reader.at < source.length) {
    const line = takeLine(reader, document);
    const rest = line.text.startsWith(document.delimiter) ? line.text.slice(document.delimiter.length) : undefined;
    if (rest === "") return document.take(bodyOf(reader, document, text, { start, end: line.start }));
    // Some shells take the delimiter before the bracket as the end, some do not.
    if (reader.substituted && rest?.includes(")"))
      return reader.stop("unsure", "a here-document may end before a )", line.start);
    text.add(source, line.from, reader.at);
  }
  reader.stop("open", `a here-document has no end ${JSON.stringify(document.delimiter)}`, document.start);
}

/** A line as it is compared with the delimiter: joined with the next ones where it asks for that, without its tabs. */
function takeLine(reader: Reader, { quoted, tabs }: Awaited): { text: string; start: number; from: number } {
  const { source } = reader;
  const start = reader.at;
  let from = start;
  if (tabs === "strip") while (source.charCodeAt(from) === char.tab) from++;
  let text = "";
  for (let begin = from; ; ) {
    const end = source.indexOf("\n", begin);
    const row = source.slice(begin, end === -1 ? source.length : end);
    reader.at = end === -1 ? source.length : end + 1;
    if (quoted || end === -1 || (/\\*$/.exec(row)?.[0].length ?? 0) % 2 === 0) return { text: text + row, start, from };
    text += row.slice(0, -1);
    begin = reader.at;
  }
}

function bodyOf(reader: Reader, { quoted }: Awaited, text: Splice, range: { start: number; end: number }): Word {
  const span = reader.span(range.start, range.end);
  if (quoted) return { ...span, pieces: [{ kind: "quoted", text: text.text, ...span }] };
  const { options, depth, tally } = reader;
  const below = new Reader(text.text, { ...options, place: (at) => reader.place(text.place(at)), depth, tally });
  const pieces = new Pieces(below);
  insideDouble(below, pieces, -1);
  if (below.problem) {
    reader.problem ??= below.problem;
    reader.at = reader.source.length;
  }
  return { ...span, pieces: pieces.list };
}
