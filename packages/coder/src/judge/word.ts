import type { Word, WordSegment } from "../bash/tree.ts";
import { alternatives } from "../bash/word/braces.ts";

/** A word that a program is given, as far as it is known before it runs. */
export interface Arg {
  /** Its text; undefined where only a running shell knows it. */
  text: string | undefined;
  /** Its text with `unknown` in place of what is not known, and `matched` of what a pattern matches. */
  shape: string;
  /** True where it may turn out to be several words, or none. */
  many?: true;
}

/** Stands for any text at all. */
export const unknown = "\0";
/** Stands for any part of a file's name, without a slash. */
export const matched = "\x01";

export const exact = (text: string): Arg => ({ text, shape: text });
export const anything: Arg = { text: undefined, shape: unknown, many: true };

/** True for a word of which some part is known only when it runs; a pattern is no such word. */
export const isUnknown = ({ shape, many }: Arg): boolean => many === true || shape.includes(unknown);

/** Reads a word, which braces may make several; the home of the user is the only variable that is looked up. */
export const argsOf = ({ segments }: Word, home: string): readonly Arg[] =>
  alternatives(segments)?.map((pieces) => joined(pieces, home, "pattern")) ?? [anything];

/** Reads a word that stands for one text. */
export function argOf(word: Word, home: string): Arg {
  const [first, ...more] = argsOf(word, home);
  return first && more.length === 0 ? first : anything;
}

/** Reads a text that is assigned or handed to an input: neither braces nor patterns count there. */
export const assigned = ({ segments }: Word, home: string): Arg => joined(segments, home, "text");

function joined(pieces: readonly WordSegment[], home: string, how: "pattern" | "text"): Arg {
  let shape = "";
  let many = false;
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === "dynamic") {
      const known = knownText(piece, home);
      if (known === undefined && !piece.quoted) many = true;
      shape += known ?? unknown;
    } else if (piece.kind === "quoted") shape += piece.text;
    else shape += bareText(piece.text, index === 0, home, how);
  }
  // A bracket that is quoted in part may yet be a pattern.
  if (how === "pattern" && hidesPattern(pieces)) shape = unknown;
  const clear = !shape.includes(unknown) && !shape.includes(matched);
  return { text: clear ? shape : undefined, shape, ...(many && { many: true as const }) };
}

/** The home is the one variable that is looked up; a command in brackets is a stream, unless nothing runs. */
function knownText({ of, name, scripts }: WordSegment & { kind: "dynamic" }, home: string): string | undefined {
  if (of === "parameter" && name === "HOME") return home;
  return of === "process" && scripts[0]?.items.length ? "/dev/fd/63" : undefined;
}

function bareText(text: string, first: boolean, home: string, how: "pattern" | "text"): string {
  const tilde = first ? /^~([^/]*)/.exec(text) : null;
  const start = tilde ? (tilde[1] === "" ? home : `/${unknown}`) : "";
  const rest = (tilde ? text.slice(tilde[0].length) : text).replace(/([=:])~/g, `$1/${unknown}`);
  return start + (how === "text" ? rest : rest.replace(/\*+|\?|\[[^\]/[]+\]|[?*+@!]?\([^)]*\)?/g, matched));
}

const hidesPattern = (pieces: readonly WordSegment[]): boolean =>
  pieces.length > 1 &&
  pieces.some((piece) => piece.kind === "text" && piece.text.lastIndexOf("[") > piece.text.lastIndexOf("]"));
