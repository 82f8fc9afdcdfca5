import { type Fail, formatBytes, type Ok, ok } from "@pith/kit";
import { blanks, newline, newlines } from "./blank.ts";
import { char } from "./character.ts";
import { pass, reserved, unexpected } from "./command.ts";
import { command } from "./compound.ts";
import { BashReader, maxScript } from "./reader.ts";
import type { List, ListItem, Pipeline, ProblemKind, ShellSyntax } from "./tree.ts";

export interface ParseOptions {
  /** Says if `@(…)` and its like are patterns: a shell has to be told so. */
  extglob?: "on" | "off";
  /** The most characters that a text may have. */
  characters?: number;
}

export type Parsed = Ok<List> | (Fail<ProblemKind> & { at: number });

/**
 * Reads a text as bash does. Whatever the text, it ends, in a time that grows as the text does, with all commands in it
 * or the place where it is none; a text that versions of bash read differently is none.
 */
export function parse(source: string, options: ParseOptions = {}): Parsed {
  const { extglob = "off", characters = maxScript.characters } = options;
  const wrong = (kind: ProblemKind, message: string, at: number): Parsed => ({ ok: false, kind, message, at });
  if (source.length > characters) return wrong("large", `it is longer than ${formatBytes(characters)}`, characters);
  const nul = source.indexOf("\0");
  if (nul !== -1) return wrong("unexpected", "a NUL character", nul);
  const reader = new BashReader(source, { list, extglob });
  const all = list(reader);
  if (reader.peek() !== -1) unexpected(reader);
  for (const { start } of reader.heredocs.slice(0, 1)) reader.stop("open", "a here-document has no text", start);
  const { problem } = reader;
  return problem ? wrong(problem.kind, problem.message, problem.at) : ok(all);
}

/** Reads the texts of one call, each of them once, whoever asks for it. */
export function scriptReader(): (source: string) => Parsed {
  const read = new Map<string, Parsed>();
  return (source) => {
    const known = read.get(source) ?? parse(source);
    read.set(source, known);
    return known;
  };
}

/** Commands up to what may end them: a bracket, a reserved word, `;;` or the end. */
function list(reader: BashReader): List {
  newlines(reader);
  const start = reader.at;
  let end = start;
  const items: ListItem[] = [];
  while (!ends(reader)) {
    const pipe = pipeline(reader);
    if (!pipe) break;
    end = reader.at;
    blanks(reader);
    const behind = separator(reader);
    items.push({ pipeline: pipe, behind });
    if (behind === undefined) break;
    newlines(reader);
    if ((behind === "&&" || behind === "||") && ends(reader)) unexpected(reader);
  }
  return { ...reader.span(start, end), items };
}

const closing = new Set(["then", "elif", "else", "fi", "do", "done", "esac", "}"]);

function ends(reader: BashReader): boolean {
  const code = reader.peek();
  return code === -1 || code === char.close || isCaseEnd(reader) || closing.has(reserved(reader));
}

function isCaseEnd(reader: BashReader): boolean {
  const second = reader.second();
  return reader.peek() === char.semicolon && (second === char.semicolon || second === char.and);
}

/** Passes what stands behind a pipeline, and names it. */
function separator(reader: BashReader): ListItem["behind"] {
  const code = reader.peek();
  const doubled = reader.second() === code;
  if (code === char.newline) return newline(reader) ? "\n" : undefined;
  if (isCaseEnd(reader) || (code !== char.semicolon && code !== char.and && (code !== char.pipe || !doubled)))
    return undefined;
  reader.at++;
  if (code === char.semicolon) return ";";
  if (!doubled) return "&";
  reader.take(code);
  return code === char.and ? "&&" : "||";
}

function pipeline(reader: BashReader): Pipeline | undefined {
  const start = reader.at;
  const { negated, timed } = prefixes(reader);
  const commands: ShellSyntax[] = [];
  const pipes: ("|" | "|&")[] = [];
  let end = reader.at;
  const code = reader.peek();
  // `!` and `time` may stand alone.
  const alone = end > start && (code === -1 || code === char.newline || code === char.semicolon) && !isCaseEnd(reader);
  while (!alone) {
    const one = command(reader);
    if (!one) return undefined;
    commands.push(one);
    end = reader.at;
    blanks(reader);
    if (reader.peek() !== char.pipe || reader.second() === char.pipe) break;
    reader.at++;
    pipes.push(reader.take(char.and) ? "|&" : "|");
    newlines(reader);
  }
  return { ...reader.span(start, end), commands, pipes, negated, timed };
}

function prefixes(reader: BashReader): { negated: boolean; timed: boolean } {
  let [negated, timed] = [false, false];
  for (;;) {
    blanks(reader);
    const word = reserved(reader);
    if (word === "!") negated = !negated;
    else if (word === "time") timed = true;
    else return { negated, timed };
    pass(reader, word);
    if (word === "time") for (const option of [/-p(?![^\s;&|()<>])/y, /--(?![^\s;&|()<>])/y]) skip(reader, option);
  }
}

function skip(reader: BashReader, option: RegExp): void {
  blanks(reader);
  option.lastIndex = reader.at;
  if (option.test(reader.source)) reader.at = option.lastIndex;
}
