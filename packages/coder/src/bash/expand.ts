import type { Word, WordSegment } from "./tree.ts";
import { alternatives } from "./word/braces.ts";

/** The text of a word; undefined where only a running shell knows it. */
export type LiteralText = string | undefined;

/** The words that a program is given for a word; one that is not known may turn out to be any number of words. */
export const expand = ({ segments }: Word): readonly LiteralText[] =>
  alternatives(segments)?.map(textOf) ?? [undefined];

/** The one text of a word, where it is known and one. */
export function literalText(word: Word): LiteralText {
  const [first, ...more] = expand(word);
  return more.length === 0 ? first : undefined;
}

/** The text of what is assigned or handed to a program's input: there neither braces nor patterns count. */
export const value = ({ segments }: Word): LiteralText => (tilde.test(shapeOf(segments)) ? undefined : join(segments));

function textOf(pieces: readonly WordSegment[]): LiteralText {
  const shape = shapeOf(pieces);
  return tilde.test(shape) || pattern.test(shape) ? undefined : join(pieces);
}

function join(pieces: readonly WordSegment[]): LiteralText {
  let text = "";
  for (const piece of pieces) {
    if (piece.kind === "dynamic") return undefined;
    text += piece.text;
  }
  return text;
}

/** The bare text, with a sign in place of all else. */
const shapeOf = (pieces: readonly WordSegment[]): string =>
  pieces.map((piece) => (piece.kind === "text" ? piece.text : "\0")).join("");

const tilde = /(?:^|[=:])~/;
const pattern = /[*?(]|\[[\s\S]*\]/;
