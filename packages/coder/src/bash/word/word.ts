import { newlines } from "../blank.ts";
import { char, endsWord } from "../character.ts";
import type { BashReader } from "../reader.ts";
import type { Assign, Word, WordSegment } from "../tree.ts";
import { backquoted, dollar, doubleQuoted, enclosed, escaped, processed, singleQuoted } from "./expansion.ts";
import { Segments, scriptsIn } from "./segments.ts";

/** The place of a word, which decides what may be in it. */
export type WordContext =
  /** An assignment is possible, with a subscript that holds blanks, or of a list. */
  | "command"
  /** Behind `declare` and its like: an assignment of a list too. */
  | "declared"
  | "argument"
  /** In a list that is assigned: `[…]=` may stand before it. */
  | "element"
  /** Behind `==` in `[[ ]]`: patterns with brackets. */
  | "pattern"
  /** Behind `=~`. */
  | "regex";

export interface ReadWord {
  word: Word;
  /** Its text, if that is bare from end to end. */
  bare: string | undefined;
  assign?: Assign;
}

/** Reads a word that begins here; undefined when none does. */
export function readWord(reader: BashReader, where: WordContext): ReadWord | undefined {
  const start = reader.at;
  const pieces = new Segments(reader);
  let target: Target | undefined;
  let assign: Assignment | undefined;
  for (;;) {
    const code = reader.peek();
    if (expanded(reader, pieces, code) || grouped(reader, pieces, code, where)) continue;
    if (endsWord(code)) break;
    if (code === char.bracketOpen && !target && !assign && takesSubscript(where, pieces)) {
      const name = pieces.bare() ?? "";
      const subscript = bracketed(reader, pieces, brackets);
      target = { name, subscript, end: reader.at };
    } else if (code === char.equals && (where === "command" || where === "declared") && !assign)
      assign = assigned(reader, pieces, target);
    else {
      run.lastIndex = reader.at + 1;
      run.test(reader.source);
      plainText(reader, pieces, Math.max(reader.at + 1, run.lastIndex));
    }
  }
  if (pieces.list.length === 0) return undefined;
  const word: Word = { ...reader.span(start), segments: pieces.list };
  const bare = pieces.bare();
  if (!assign) return { word, bare };
  const { from, ...rest } = assign;
  const value = pieces.list.slice(from);
  return {
    word,
    bare,
    assign: {
      ...reader.span(start),
      ...rest,
      value: { start: value[0]?.start ?? word.end, end: word.end, segments: value },
    },
  };
}

/** A run of what means nothing anywhere. */
const run = /[^\s\\'"`$<>()|&;=[?*+@!]*/y;

/** `name[…]`, which may turn out to be assigned to. */
interface Target {
  name: string;
  subscript: readonly WordSegment[];
  end: number;
}

interface Assignment extends Pick<Assign, "name" | "append" | "subscript" | "elements"> {
  /** The piece that the value begins with. */
  from: number;
}

function plainText(reader: BashReader, pieces: Segments, end: number): void {
  const { source, at } = reader;
  reader.at = end;
  pieces.add("text", source.slice(at, end), at);
}

/** Quotes and what the shell puts something in place of. */
function expanded(reader: BashReader, pieces: Segments, code: number): boolean {
  if (code === char.backslash) escaped(reader, pieces);
  else if (code === char.single) singleQuoted(reader, pieces);
  else if (code === char.double) doubleQuoted(reader, pieces);
  else if (code === char.back) backquoted(reader, pieces, "none");
  else if (code === char.dollar) dollar(reader, pieces, "none");
  else if ((code === char.less || code === char.more) && reader.second() === char.open) processed(reader, pieces);
  else return false;
  return true;
}

/** Passes what would end a word and does not in a pattern. */
function grouped(reader: BashReader, pieces: Segments, code: number, where: WordContext): boolean {
  if (code === char.open && opensGroup(reader, where, pieces)) bracketed(reader, pieces, parens);
  else if (code === char.pipe && where === "regex") plainText(reader, pieces, reader.at + 1);
  else return false;
  return true;
}

/** Goes past an equals sign, and a list behind it if that is assigned. */
function assigned(reader: BashReader, pieces: Segments, target: Target | undefined): Assignment | undefined {
  const assign = assignment(reader, pieces, target);
  plainText(reader, pieces, reader.at + 1);
  if (!assign) return undefined;
  pieces.seal();
  assign.from = pieces.list.length;
  if (reader.peek() === char.open) assign.elements = elements(reader, pieces);
  return assign;
}

/** The variable that an equals sign here assigns to. */
function assignment({ source, at }: BashReader, pieces: Segments, target: Target | undefined): Assignment | undefined {
  if (target) {
    const append = source[at - 1] === "+";
    if (target.end !== (append ? at - 1 : at)) return undefined;
    return { name: target.name, subscript: target.subscript, append, from: 0 };
  }
  const match = /^([A-Za-z_]\w*)(\+?)$/.exec(pieces.bare() ?? "");
  return match?.[1] === undefined ? undefined : { name: match[1], append: match[2] === "+", from: 0 };
}

function takesSubscript(where: WordContext, pieces: Segments): boolean {
  if (where === "element") return pieces.list.length === 0;
  return where === "command" && /^[A-Za-z_]\w*$/.test(pieces.bare() ?? "");
}

/** True where a bracket here is part of a pattern. */
function opensGroup(reader: BashReader, where: WordContext, pieces: Segments): boolean {
  if (where === "regex") return true;
  const last = pieces.list.at(-1);
  return (
    (where === "pattern" || reader.options.extglob === "on") && last?.kind === "text" && /[?*+@!]$/.test(last.text)
  );
}

const brackets = { open: char.bracketOpen, close: char.bracketClose, what: "[" };
const parens = { open: char.open, close: char.close, what: "(" };

/** A bracket with all it holds; what it holds is handed back too. */
function bracketed(
  reader: BashReader,
  pieces: Segments,
  pair: typeof brackets | typeof parens,
): readonly WordSegment[] {
  plainText(reader, pieces, reader.at + 1);
  const inner = enclosed(reader, { ...pair, single: "quotes", commands: "run" });
  pieces.list.push(...inner);
  pieces.seal();
  pieces.add("text", String.fromCharCode(pair.close), reader.at - 1);
  return inner;
}

/** The words of `=(…)`, from its bracket on. */
function elements(reader: BashReader, pieces: Segments): readonly Word[] {
  const start = reader.at;
  const words: Word[] = [];
  reader.at++;
  for (;;) {
    if (reader.heredocs.length > 0 && reader.peek() === char.newline)
      reader.stop("unsure", "a here-document begins inside a list", start);
    newlines(reader);
    if (reader.take(char.close)) break;
    const read = readWord(reader, "element");
    if (!read) {
      reader.stop(reader.peek() === -1 ? "open" : "unexpected", "a list =( is not closed", start);
      break;
    }
    words.push(read.word);
  }
  pieces.dynamic(
    "array",
    start,
    true,
    words.flatMap((word) => scriptsIn(word.segments)),
  );
  return words;
}
