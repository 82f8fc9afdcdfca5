import { blanks } from "./blank.ts";
import { char, endsWord } from "./character.ts";
import type { BashReader } from "./reader.ts";
import { redirect } from "./redirect.ts";
import type { Assign, Redirect, Simple, Word } from "./tree.ts";
import { type ReadWord, readWord } from "./word/word.ts";

const reservedWords = new Set(
  "if then elif else fi for while until do done case esac select function in { } ! [[ ]] time coproc".split(" "),
);

const beginsReserved = new Set(Array.from(reservedWords, (word) => word.charCodeAt(0)));

/** The reserved word here, if one stands where a command may begin; the place stays. */
export function reserved(reader: BashReader): string {
  const start = reader.at;
  let text = "";
  let code = reader.peek();
  if (!beginsReserved.has(code)) return "";
  for (; text.length < 9 && !endsWord(code); code = reader.peek()) {
    text += String.fromCharCode(code);
    reader.at++;
  }
  const ends = endsWord(code) && !((code === char.less || code === char.more) && reader.second() === char.open);
  reader.at = start;
  return ends && reservedWords.has(text) ? text : "";
}

/** Goes past a reserved word that stands here. */
export function pass(reader: BashReader, word: string): undefined {
  for (let i = 0; i < word.length; i++) {
    reader.peek();
    reader.at++;
  }
}

/** Names what stands where nothing like it may. */
export function unexpected(reader: BashReader): undefined {
  const start = reader.at;
  if (reader.peek() === -1) return reader.stop("open", "the command is not finished");
  const word = readWord(reader, "argument")?.word;
  const text = word ? reader.source.slice(start, reader.at) : (reader.source[reader.at] ?? "");
  if (!reader.problem) reader.stop("unexpected", `unexpected ${JSON.stringify(text.slice(0, 40))}`, start);
}

const declares = new Set(["declare", "typeset", "export", "readonly", "local", "alias", "eval", "let"]);

/** A program with what it is given; undefined, with a problem told, where none begins. */
export function simple(reader: BashReader): Simple | undefined {
  const start = reader.at;
  let end = start;
  const assigns: Assign[] = [];
  const words: Word[] = [];
  const redirects: Redirect[] = [];
  let where: "command" | "declared" | "argument" = "command";
  for (blanks(reader); ; blanks(reader)) {
    const found = redirect(reader);
    const read: ReadWord | undefined = found ? undefined : readWord(reader, where);
    if (found) redirects.push(found);
    else if (!read) break;
    else if (read.assign && where === "command") assigns.push(read.assign);
    else {
      if (where === "command") where = declares.has(read.bare ?? "") ? "declared" : "argument";
      words.push(read.word);
    }
    end = reader.at;
  }
  reader.part();
  if (assigns.length + words.length + redirects.length === 0) {
    unexpected(reader);
    return undefined;
  }
  if (!reader.problem) reader.at = end;
  return { kind: "simple", ...reader.span(start, end), assigns, words, redirects };
}
