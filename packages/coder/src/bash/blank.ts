import { char } from "./character.ts";
import { BashReader, type PendingHeredoc } from "./reader.ts";
import type { Word } from "./tree.ts";
import { insideDouble } from "./word/expansion.ts";
import { Segments, Splice } from "./word/segments.ts";

/** Goes past blanks and a comment. */
export function blanks(reader: BashReader): undefined {
  let code = reader.peek();
  while (code === char.space || code === char.tab) {
    reader.at++;
    code = reader.peek();
  }
  if (code !== char.hash) return;
  const end = reader.source.indexOf("\n", reader.at);
  reader.at = end === -1 ? reader.source.length : end;
}

/** Goes past blanks, comments and newlines, and takes in the here-documents that begin there. */
export function newlines(reader: BashReader): undefined {
  blanks(reader);
  while (newline(reader)) blanks(reader);
}

/** Goes past a newline and the here-documents behind it. */
export function newline(reader: BashReader): boolean {
  if (!reader.take(char.newline)) return false;
  const awaited = reader.heredocs;
  reader.heredocs = [];
  for (const document of awaited) takeDocument(reader, document);
  return true;
}

function takeDocument(reader: BashReader, document: PendingHeredoc): undefined {
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
function takeLine(reader: BashReader, { quoted, tabs }: PendingHeredoc): { text: string; start: number; from: number } {
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

function bodyOf(
  reader: BashReader,
  { quoted }: PendingHeredoc,
  text: Splice,
  range: { start: number; end: number },
): Word {
  const span = reader.span(range.start, range.end);
  if (quoted) return { ...span, segments: [{ kind: "quoted", text: text.text, ...span }] };
  const { options, depth, tally } = reader;
  const below = new BashReader(text.text, { ...options, place: (at) => reader.place(text.place(at)), depth, tally });
  const pieces = new Segments(below);
  insideDouble(below, pieces, -1);
  if (below.problem) {
    reader.problem ??= below.problem;
    reader.at = reader.source.length;
  }
  return { ...span, segments: pieces.list };
}
