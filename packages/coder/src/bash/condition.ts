import { blanks, newlines } from "./blank.ts";
import { char } from "./character.ts";
import { pass, reserved, unexpected } from "./command.ts";
import type { BashReader } from "./reader.ts";
import type { Word } from "./tree.ts";
import { type ReadWord, readWord, type WordContext } from "./word/word.ts";

/** `[[ … ]]`: the words that it compares. */
export function test(reader: BashReader): readonly Word[] {
  const words: Word[] = [];
  pass(reader, "[[");
  either(reader, words);
  if (reserved(reader) === "]]") pass(reader, "]]");
  else unexpected(reader);
  return words;
}

function either(reader: BashReader, words: Word[]): undefined {
  do term(reader, words);
  while (joined(reader));
}

function joined(reader: BashReader): boolean {
  const code = reader.peek();
  if ((code !== char.and && code !== char.pipe) || reader.second() !== code) return false;
  reader.at++;
  return reader.take(code);
}

function term(reader: BashReader, words: Word[]): undefined {
  newlines(reader);
  const start = reader.at;
  if (reader.take(char.open)) {
    reader.deeper(() => either(reader, words), undefined);
    if (!reader.take(char.close)) unexpected(reader);
    return newlines(reader);
  }
  const first = take(reader, "argument");
  if (first?.bare === "!") {
    if (reader.at > start) reader.deeper(() => term(reader, words), undefined);
    return;
  }
  if (!first) return unexpected(reader);
  words.push(first.word);
  if (first.bare !== undefined && /^-[abcdefghknoprstuvwxzGLNORS]$/.test(first.bare))
    operand(reader, words, "argument");
  else {
    newlines(reader);
    const where = comparison(reader);
    if (where) operand(reader, words, where);
  }
  newlines(reader);
}

/** Goes past an operator between two words, if one stands here, and says how what follows is read. */
function comparison(reader: BashReader): WordContext | undefined {
  if (reader.take(char.less) || reader.take(char.more)) return "argument";
  const { at } = reader;
  const bare = take(reader, "argument")?.bare;
  if (bare === "=~") return "regex";
  if (bare === "=" || bare === "==" || bare === "!=") return "pattern";
  if (bare !== undefined && /^-(?:nt|ot|ef|eq|ne|lt|le|gt|ge)$/.test(bare)) return "argument";
  if (!reader.problem) reader.at = at;
  return undefined;
}

function operand(reader: BashReader, words: Word[], where: WordContext): undefined {
  blanks(reader);
  const read = take(reader, where);
  if (read) words.push(read.word);
  else unexpected(reader);
}

/** A word that is not the end of it all. */
const take = (reader: BashReader, where: WordContext): ReadWord | undefined =>
  reserved(reader) === "]]" ? undefined : readWord(reader, where);
