import type { Word, WordSegment } from "../../bash/tree.ts";
import { braces } from "../../bash/word/braces.ts";

/** A word that a program is given, as far as it is known before it runs. */
export interface Arg {
  /** Its text; undefined where only a running shell knows. */
  text: string | undefined;
  /** Its text with `unknown` in place of what is not known, and `matched` of what a pattern matches. */
  shape: string;
  /** Whether it may turn out to be several words, or none. */
  many?: boolean;
}

/** Any text at all. */
export const unknown = "\0";
/** Any part of a file's name, without a slash. */
export const matched = "\x01";

export const exact = (text: string): Arg => ({ text, shape: text });
/** What may turn out to be any number of words. */
export const anything: Arg = { text: undefined, shape: unknown, many: true };

/** Words as a shell would read them again. */
export const shellText = (args: readonly Arg[]): string =>
  args.map(({ text }) => (text === undefined ? "$_" : `'${text.replaceAll("'", "'\\''")}'`)).join(" ");

/** What variables hold where that is certain; without quotes it would be split. */
export type Values = (name: string, quoted: boolean) => string | undefined;

/** The words that a program is given for a word. */
export function argsOf({ segments }: Word, values: Values): readonly Arg[] {
  const bare = segments.some((piece) => piece.kind === "text" && piece.text.includes("{"));
  if (!bare) return [argOf(segments, values)];
  const alternatives = braces(segments);
  return alternatives?.filter((one) => one.length > 0).map((one) => argOf(one, values)) ?? [anything];
}

/** What is assigned or handed to an input: neither braces nor patterns count there. */
export function assigned({ segments }: Word, values: Values): Arg {
  return argOf(
    segments.map((piece) => (piece.kind === "text" && !piece.text.startsWith("~") ? quoted(piece) : piece)),
    values,
  );
}

const quoted = (piece: WordSegment & { kind: "text" }): WordSegment => ({ ...piece, kind: "quoted" });

/** Whether a word may turn out to be an option of a program, though it does not look like one. */
export const mayBeOption = ({ text, shape, many }: Arg): boolean =>
  many === true || (text === undefined && starts.test(shape));

// biome-ignore lint/suspicious/noControlCharactersInRegex: the two signs for what is not known
const starts = /^(?:[\0\x01]|-[^=]*[\0\x01])/;

function argOf(pieces: readonly WordSegment[], values: Values): Arg {
  let shape = "";
  let many = false;
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === "quoted") shape += piece.text;
    else if (piece.kind === "text") shape += bareText(piece.text, index === 0, values);
    else {
      const value = known(piece, values);
      if (value === undefined && !piece.quoted) many = true;
      shape += value ?? unknown;
    }
  }
  const clear = !shape.includes(unknown) && !shape.includes(matched);
  return { text: clear ? shape : undefined, shape, ...(many && { many }) };
}

function known(piece: WordSegment & { kind: "dynamic" }, values: Values): string | undefined {
  if (piece.of === "process") return "/dev/fd/63";
  if (piece.of !== "parameter" || piece.name === undefined) return undefined;
  const value = values(piece.name, piece.quoted === true);
  // Without quotes a value is split and matched again.
  return value !== undefined && (piece.quoted || /^[\w./@%+,:=-]+$/.test(value)) ? value : undefined;
}

/** Bare text: a tilde is a home, a pattern matches what there is. */
function bareText(text: string, first: boolean, values: Values): string {
  const tilde = first ? /^~([^/]*)/.exec(text) : null;
  const home = tilde && (tilde[1] === "" ? (values("HOME", true) ?? `/${unknown}`) : `/${unknown}`);
  const rest = tilde ? text.slice(tilde[0].length) : text;
  // Behind a colon or an equals sign a tilde may be a home too.
  const plain = /[=:]~/.test(rest) ? rest.replace(/([=:])~/g, `$1/${unknown}`) : rest;
  return (home ?? "") + (/[*?([]/.test(plain) ? patterned(plain) : plain);
}

function patterned(text: string): string {
  const found = text.replace(/\*+|\?|\[[^\]/[]+\]|[?*+@!]?\([^)]*\)?/g, matched);
  // Brackets that are not read here may yet be a pattern.
  const open = found.indexOf("[");
  return open !== -1 && found.indexOf("]", open) !== -1 && !found.includes(matched) ? found + matched : found;
}
