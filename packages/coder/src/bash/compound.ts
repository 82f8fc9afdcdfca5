import { blanks, newline, newlines } from "./blank.ts";
import { char } from "./character.ts";
import { pass, reserved, simple, unexpected } from "./command.ts";
import { test } from "./condition.ts";
import type { BashReader } from "./reader.ts";
import { redirectsBehind } from "./redirect.ts";
import type { Compound, Definition, List, ShellSyntax, Word, WordSegment } from "./tree.ts";
import { arithmetic } from "./word/expansion.ts";
import { readWord } from "./word/word.ts";

/** The parts of a command of several, while it is read. */
type Made = Pick<Compound, "is"> & Partial<Pick<Compound, "words" | "lists">>;

/** Reads a command of a pipeline; undefined, with a problem told, where none begins. */
export function command(reader: BashReader): ShellSyntax | undefined {
  blanks(reader);
  const start = reader.at;
  if (reader.peek() === char.open) return finish(reader, start, bracket(reader));
  const word = reserved(reader);
  if (word === "function") return named(reader, start);
  if (word === "" || word === "time") return simpleOrFunction(reader, start);
  const read = starts[word];
  if (read)
    return finish(
      reader,
      start,
      reader.deeper(() => read(reader, word), undefined),
    );
  unexpected(reader);
  return undefined;
}

const starts: Readonly<Record<string, (reader: BashReader, word: string) => Made | undefined>> = {
  if: conditional,
  while: loop,
  until: loop,
  for: each,
  select: each,
  case: choice,
  "{": (reader) => ({ is: "group", lists: [between(reader, "{", "}")] }),
  "[[": (reader) => ({ is: "test", words: test(reader) }),
  coproc: aside,
};

function finish(reader: BashReader, start: number, made: Made | undefined): Compound | undefined {
  reader.part();
  if (!made || reader.problem) return undefined;
  const end = reader.at;
  const redirects = redirectsBehind(reader);
  const { is, words = [], lists = [] } = made;
  return {
    kind: "compound",
    is,
    ...reader.span(start, redirects.length > 0 ? reader.at : end),
    words,
    lists,
    redirects,
  };
}

function simpleOrFunction(reader: BashReader, start: number): ShellSyntax | undefined {
  const made = simple(reader);
  const end = reader.at;
  blanks(reader);
  if (!made || reader.peek() !== char.open) {
    reader.at = end;
    return made;
  }
  const [name, ...more] = made.words;
  if (!name || more.length + made.assigns.length + made.redirects.length > 0 || !emptyBrackets(reader)) {
    unexpected(reader);
    return undefined;
  }
  return define(reader, start, name);
}

/** `function name`, with brackets behind it or not. */
function named(reader: BashReader, start: number): ShellSyntax | undefined {
  pass(reader, "function");
  blanks(reader);
  const name = readWord(reader, "argument")?.word;
  if (!name) {
    unexpected(reader);
    return undefined;
  }
  blanks(reader);
  emptyBrackets(reader);
  return define(reader, start, name);
}

function emptyBrackets(reader: BashReader): boolean {
  const { at } = reader;
  if (reader.take(char.open)) {
    blanks(reader);
    if (reader.take(char.close)) return true;
  }
  reader.at = at;
  return false;
}

function define(reader: BashReader, start: number, name: Word): Definition | undefined {
  newlines(reader);
  if (!beginsCompound(reader)) {
    unexpected(reader);
    return undefined;
  }
  const body = reader.deeper(() => command(reader), undefined);
  return body && { kind: "function", ...reader.span(start), name, body };
}

const beginsCompound = (reader: BashReader): boolean =>
  reader.peek() === char.open || (reserved(reader) !== "coproc" && reserved(reader) in starts);

/** `((…))` or `(…)`. */
function bracket(reader: BashReader): Made | undefined {
  const start = reader.at;
  const sum = reader.second() === char.open ? reader.attempt(() => arithmetic(reader)) : undefined;
  if (sum) return { is: "arithmetic", words: [{ ...reader.span(start), segments: sum }] };
  reader.at++;
  const list = filled(reader);
  if (!reader.take(char.close)) unclosed(reader, "(", start);
  return { is: "subshell", lists: [list] };
}

function conditional(reader: BashReader): Made {
  const lists = [between(reader, "if", "then")];
  for (;;) {
    lists.push(filled(reader));
    const next = reserved(reader);
    if (next === "elif") lists.push(between(reader, "elif", "then"));
    else if (next === "else") lists.push(between(reader, "else", "fi"));
    else expect(reader, "fi");
    if (next !== "elif") return { is: "if", lists };
  }
}

function loop(reader: BashReader, word: string): Made {
  const until = between(reader, word, "do");
  const body = filled(reader);
  expect(reader, "done");
  return { is: word === "while" ? "while" : "until", lists: [until, body] };
}

function each(reader: BashReader, word: string): Made | undefined {
  const is = word === "for" ? "for" : "select";
  pass(reader, word);
  blanks(reader);
  const start = reader.at;
  const words: Word[] = [];
  if (is === "for" && reader.peek() === char.open && reader.second() === char.open) {
    const sum: readonly WordSegment[] | undefined = arithmetic(reader);
    const text = sum?.map((piece) => (piece.kind === "text" ? piece.text : "")).join("") ?? "";
    if (!sum || text.split(";").length !== 3) unclosed(reader, "((", start);
    words.push({ ...reader.span(start), segments: sum ?? [] });
    blanks(reader);
    reader.take(char.semicolon);
  } else {
    if (!readWord(reader, "argument")) unexpected(reader);
    newlines(reader);
    if (reserved(reader) === "in") {
      pass(reader, "in");
      words.push(...wordsHere(reader));
      blanks(reader);
      if (!reader.take(char.semicolon) && !newline(reader)) unexpected(reader);
    } else reader.take(char.semicolon);
  }
  newlines(reader);
  const body = reserved(reader) === "{" ? between(reader, "{", "}") : between(reader, "do", "done");
  return { is, words, lists: [body] };
}

function wordsHere(reader: BashReader): Word[] {
  const words: Word[] = [];
  for (;;) {
    blanks(reader);
    const read = readWord(reader, "argument");
    if (!read) return words;
    words.push(read.word);
  }
}

function choice(reader: BashReader): Made | undefined {
  pass(reader, "case");
  blanks(reader);
  const words: Word[] = [];
  const lists: List[] = [];
  const take = () => {
    blanks(reader);
    const read = readWord(reader, "argument");
    if (read) words.push(read.word);
    else unexpected(reader);
    blanks(reader);
  };
  take();
  newlines(reader);
  expect(reader, "in");
  for (newlines(reader); reserved(reader) !== "esac"; newlines(reader)) {
    reader.take(char.open);
    do take();
    while (reader.take(char.pipe));
    if (!reader.take(char.close)) unexpected(reader);
    if (reader.problem) return undefined;
    lists.push(reader.options.list(reader));
    if (reader.peek() !== char.semicolon) break;
    reader.at++;
    const second = reader.take(char.semicolon);
    if (!reader.take(char.and) && !second) unexpected(reader);
  }
  expect(reader, "esac");
  return { is: "case", words, lists };
}

/** `coproc`, with a name before what it runs or not. */
function aside(reader: BashReader): Made | undefined {
  pass(reader, "coproc");
  blanks(reader);
  const { at } = reader;
  const { parts } = reader.tally;
  if (!beginsCompound(reader)) {
    readWord(reader, "command");
    blanks(reader);
    if (!beginsCompound(reader)) {
      // Behind what may be a name, bash takes such a word for more than a word.
      if (reserved(reader) !== "") reader.stop("unsure", "a reserved word stands behind coproc");
      else {
        reader.at = at;
        reader.tally.parts = parts;
      }
    }
  }
  const from = reader.at;
  const run = beginsCompound(reader) || reserved(reader) !== "function" ? command(reader) : unexpected(reader);
  if (!run || run.kind === "function") return undefined;
  const span = reader.span(from);
  const pipeline = { ...span, commands: [run], pipes: [], negated: false, timed: false };
  return { is: "coproc", lists: [{ ...span, items: [{ pipeline, behind: undefined }] }] };
}

/** The commands between two reserved words. */
function between(reader: BashReader, from: string, to: string): List {
  expect(reader, from);
  const list = filled(reader);
  expect(reader, to);
  return list;
}

/** At least one command. */
function filled(reader: BashReader): List {
  const list = reader.deeper(() => reader.options.list(reader), { start: 0, end: 0, items: [] });
  if (list.items.length === 0) unexpected(reader);
  return list;
}

function expect(reader: BashReader, word: string): undefined {
  if (reserved(reader) === word) pass(reader, word);
  else if (reader.peek() === -1) reader.stop("open", `${word} is missing`);
  else unexpected(reader);
}

function unclosed(reader: BashReader, what: string, start: number): undefined {
  if (reader.peek() === -1) reader.stop("open", `a ${what} is not closed`, start);
  else unexpected(reader);
}
