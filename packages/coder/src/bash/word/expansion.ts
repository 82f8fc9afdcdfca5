import { char, isDigit, isName, isNameStart } from "../character.ts";
import { BashReader } from "../reader.ts";
import type { List, WordSegment } from "../tree.ts";
import { decodeAnsi } from "./ansi.ts";
import { Segments, Splice, scriptsIn } from "./segments.ts";

/** Quotes around an expansion: none, double ones, or the text of a here-document. */
export type Quoting = "none" | "double" | "document";

/** A bracket, and the meaning of quotes in it. */
interface Enclosure {
  /** A further one of these wants a closing one too; -1 where the first closing one counts. */
  open: number;
  close: number;
  /** Says if what stands between single quotes may yet be expanded. */
  single: "quotes" | "live";
  /** Says if `<(…)` runs a command here. */
  commands: "run" | "text";
  what: string;
}

/** Reads what begins with a dollar sign. */
export function dollar(reader: BashReader, pieces: Segments, quoting: Quoting): undefined {
  const start = reader.at;
  const quoted = quoting !== "none";
  const next = reader.second();
  const go = () => {
    reader.at++;
    reader.peek();
  };
  if (isNameStart(next) || isDigit(next)) {
    go();
    const name = isDigit(next) ? String.fromCharCode(next) : takeName(reader);
    if (isDigit(next)) reader.at++;
    pieces.dynamic("parameter", start, quoted, [], name);
  } else if (next === char.open) {
    go();
    const sum = reader.second() === char.open ? reader.attempt(() => arithmetic(reader)) : undefined;
    if (sum) pieces.dynamic("arithmetic", start, quoted, scriptsIn(sum));
    else pieces.dynamic("command", start, quoted, [substitution(reader)]);
  } else if (next === char.braceOpen) {
    go();
    parameter(reader, pieces, start, quoting);
  } else if (next === char.bracketOpen) {
    go();
    reader.at++;
    const inner = enclosed(reader, {
      open: char.bracketOpen,
      close: char.bracketClose,
      single: "live",
      commands: "text",
      what: "$[",
    });
    pieces.dynamic("arithmetic", start, quoted, scriptsIn(inner));
  } else if (next === char.single && !quoted) {
    go();
    ansi(reader, pieces, start);
  } else if (next === char.double && !quoted) {
    go();
    const inner = new Segments(reader);
    doubleQuoted(reader, inner);
    // A catalogue of translations may put any text in its place.
    pieces.dynamic("locale", start, true, scriptsIn(inner.list));
  } else if ("@*#?-$!".includes(String.fromCharCode(next))) {
    go();
    reader.at++;
    pieces.dynamic("parameter", start, quoted, [], String.fromCharCode(next));
  } else {
    reader.at++;
    pieces.add(quoted ? "quoted" : "text", "$", start);
  }
}

/** From one double quote to the next. */
export function doubleQuoted(reader: BashReader, pieces: Segments): undefined {
  const start = reader.at;
  reader.at++;
  pieces.add("quoted", "", start);
  insideDouble(reader, pieces, char.double);
  if (reader.source.charCodeAt(reader.at) === char.double) reader.at++;
  else reader.stop("open", 'a " is not closed', start);
}

/** Text in which only `$`, backquotes and backslashes mean something, up to a character or the end. */
export function insideDouble(reader: BashReader, pieces: Segments, close: number): undefined {
  const { source } = reader;
  const quoting = close === -1 ? "document" : "double";
  while (reader.at < source.length) {
    const start = reader.at;
    const code = source.charCodeAt(start);
    if (code === close) return;
    if (code === char.backslash) escapedInside(reader, pieces, close);
    else if (code === char.dollar) dollar(reader, pieces, quoting);
    else if (code === char.back) backquoted(reader, pieces, quoting);
    else {
      plain.lastIndex = start;
      plain.test(source);
      reader.at = Math.max(start + 1, plain.lastIndex);
      pieces.add("quoted", source.slice(start, reader.at), start);
    }
  }
}

/** A backslash that protects few characters, and stands for itself before others. */
function escapedInside(reader: BashReader, pieces: Segments, close: number): undefined {
  const start = reader.at;
  const next = reader.source.charCodeAt(start + 1);
  const protects = next === char.dollar || next === char.back || next === char.backslash || next === close;
  reader.at += protects || next === char.newline ? 2 : 1;
  if (next !== char.newline) pieces.add("quoted", protects ? String.fromCharCode(next) : "\\", start);
}

const plain = /[^"\\$`]+/y;

/** `<(…)` and `>(…)`. */
export function processed(reader: BashReader, pieces: Segments): undefined {
  const start = reader.at;
  reader.at++;
  reader.peek();
  pieces.dynamic("process", start, true, [substitution(reader)]);
}

/** Reads what stands between the brackets of `((…))`; undefined when they turn out not to be a pair. */
export function arithmetic(reader: BashReader): readonly WordSegment[] | undefined {
  reader.at++;
  reader.take(char.open);
  const inner = enclosed(reader, { open: char.open, close: char.close, single: "live", commands: "text", what: "((" });
  return reader.take(char.close) ? inner : undefined;
}

/** Everything up to the closing bracket, which is passed. */
export function enclosed(reader: BashReader, how: Enclosure): readonly WordSegment[] {
  return reader.deeper(() => enclosedHere(reader, how), []);
}

function enclosedHere(reader: BashReader, how: Enclosure): readonly WordSegment[] {
  const from = reader.at;
  const pieces = new Segments(reader);
  for (let depth = 0; ; ) {
    const code = reader.peek();
    if (code === -1) {
      reader.stop("open", `a ${how.what} is not closed`, from);
      return pieces.list;
    }
    if (code === how.close && depth-- === 0) {
      reader.at++;
      return pieces.list;
    }
    if (code === how.open) depth++;
    within(reader, pieces, code, how);
  }
}

/** The next piece of what a bracket holds. */
function within(
  reader: BashReader,
  pieces: Segments,
  code: number,
  { close, single, commands, what }: Enclosure,
): undefined {
  const start = reader.at;
  const quoting = single === "live" ? "double" : "none";
  const runs = commands === "run" && (code === char.less || code === char.more) && reader.second() === char.open;
  if (code === char.backslash) escaped(reader, pieces);
  else if (code === char.single) (single === "live" ? liveQuotes : singleQuoted)(reader, pieces);
  else if (code === char.double) doubleQuoted(reader, pieces);
  else if (code === char.back) backquoted(reader, pieces, quoting);
  else if (code === char.dollar && single === "live" && reader.second() === char.single)
    // Which of the quotes count depends on when one looks.
    reader.stop("unsure", `$' inside ${what} is read in several ways`);
  else if (code === char.dollar) dollar(reader, pieces, quoting);
  else if (runs) {
    processed(reader, pieces);
    if (reader.source.slice(start, reader.at).includes(String.fromCharCode(close)))
      reader.stop("unsure", `a bracket in a command inside ${what} is read in several ways`, start);
  } else {
    reader.at++;
    pieces.add("text", String.fromCharCode(code), start);
  }
}

/** A backslash and what it protects. */
export function escaped(reader: BashReader, pieces: Segments): undefined {
  const start = reader.at;
  const next = reader.source[start + 1];
  // Whether it stays depends on what stands before it.
  if (next === undefined) return reader.stop("open", "a \\ protects nothing", start);
  reader.at += 2;
  pieces.add("quoted", next, start);
}

export function singleQuoted(reader: BashReader, pieces: Segments): undefined {
  const start = reader.at;
  const end = reader.source.indexOf("'", start + 1);
  if (end === -1) return reader.stop("open", "a ' is not closed", start);
  reader.at = end + 1;
  pieces.add("quoted", reader.source.slice(start + 1, end), start);
}

/** Quotes that decide where a bracket ends, while what they hold is expanded all the same. */
function liveQuotes(reader: BashReader, pieces: Segments): undefined {
  const { source } = reader;
  const start = reader.at;
  const end = source.indexOf("'", start + 1);
  if (end === -1) return reader.stop("open", "a ' is not closed", start);
  for (reader.at++; reader.at < end; ) {
    const code = source.charCodeAt(reader.at);
    if (code === char.dollar) dollar(reader, pieces, "double");
    else if (code === char.back) backquoted(reader, pieces, "double");
    else reader.at++;
  }
  if (reader.at > end) return reader.stop("unsure", "a ' inside an expansion is read in several ways", start);
  reader.at = end + 1;
  pieces.add("quoted", source.slice(start, end + 1), start);
}

function ansi(reader: BashReader, pieces: Segments, start: number): undefined {
  const { source } = reader;
  let end = reader.at + 1;
  while (end < source.length && source.charCodeAt(end) !== char.single)
    end += source.charCodeAt(end) === char.backslash ? 2 : 1;
  if (end >= source.length) return reader.stop("open", "a $' is not closed", start);
  const text = decodeAnsi(source.slice(reader.at + 1, end));
  reader.at = end + 1;
  if (text === undefined) pieces.dynamic("bytes", start, true, []);
  else pieces.add("quoted", text, start);
}

/** `${…}`, from its brace on. */
function parameter(reader: BashReader, pieces: Segments, start: number, quoting: Quoting): undefined {
  const quoted = quoting !== "none";
  simpleName.lastIndex = reader.at;
  const name = simpleName.exec(reader.source)?.[1];
  if (name !== undefined) {
    reader.at = simpleName.lastIndex;
    return pieces.dynamic("parameter", start, quoted, [], name);
  }
  reader.at++;
  // Newer shells run what follows as commands.
  if (" \t\n|".includes(String.fromCharCode(reader.peek()))) return reader.stop("unsure", "${ with commands", start);
  const inner = enclosed(reader, {
    open: -2,
    close: char.braceClose,
    single: quoted ? "live" : "quotes",
    commands: quoted ? "text" : "run",
    what: "${",
  });
  pieces.dynamic("parameter", start, quoted, scriptsIn(inner));
}

const simpleName = /\{([A-Za-z_]\w*)\}/y;

function takeName(reader: BashReader): string {
  let name = "";
  for (let code = reader.peek(); isName(code); code = reader.peek()) {
    name += String.fromCharCode(code);
    reader.at++;
  }
  return name;
}

const nothing: List = { start: 0, end: 0, items: [] };

/** The commands between a bracket, which stands here, and its closing one. */
function substitution(reader: BashReader): List {
  const start = reader.at;
  const { heredocs, substituted } = reader;
  reader.part();
  reader.at++;
  reader.heredocs = [];
  reader.substituted = true;
  const list = reader.deeper(() => reader.options.list(reader), nothing);
  if (!reader.take(char.close))
    reader.stop(reader.peek() === -1 ? "open" : "unexpected", "a ( of a command is not closed", start);
  if (reader.heredocs.length > 0)
    reader.stop("unsure", "the text of a here-document begins outside its command", start);
  reader.heredocs = heredocs;
  reader.substituted = substituted;
  return list;
}

/** A command between backquotes: first the backslashes go that protect it, then it is read. */
export function backquoted(reader: BashReader, pieces: Segments, quoting: Quoting): undefined {
  const { source } = reader;
  const start = reader.at;
  const inner = new Splice();
  let from = start + 1;
  let end = from;
  for (; end < source.length && source.charCodeAt(end) !== char.back; end++) {
    if (source.charCodeAt(end) !== char.backslash) continue;
    const next = source.charCodeAt(end + 1);
    const quote = next === char.double && quoting !== "none";
    if (quote && quoting === "document") return reader.stop("unsure", '\\" between ` is read in several ways', end);
    if (quote || next === char.dollar || next === char.back || next === char.backslash) {
      inner.add(source, from, end);
      from = end + 1;
    }
    end++;
  }
  if (end >= source.length) return reader.stop("open", "a ` is not closed", start);
  inner.add(source, from, end);
  reader.at = end + 1;
  reader.part();
  const { options, depth, tally } = reader;
  const below = new BashReader(inner.text, {
    ...options,
    place: (index) => reader.place(inner.place(index)),
    depth: depth + 1,
    tally,
  });
  const list = below.deeper(() => options.list(below), nothing);
  if (below.peek() !== -1) below.stop("unexpected", "unexpected )");
  if (below.problem) {
    reader.problem ??= below.problem;
    reader.at = source.length;
  }
  pieces.dynamic("command", start, quoting !== "none", [list]);
}
