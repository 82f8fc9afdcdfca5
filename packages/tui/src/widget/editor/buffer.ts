import { graphemes } from "../../text/width.ts";

// Text under a cursor, as values: every change makes a new one. Offsets are into the string and never inside a
// character.

export interface TextBuffer {
  readonly text: string;
  readonly cursor: number;
  /** The other end of a selection. */
  readonly anchor?: number;
}

export const emptyBuffer: TextBuffer = { text: "", cursor: 0 };

/** Ranges that move and die as one character, such as a folded paste. */
export type Atoms = (text: string) => readonly (readonly [from: number, to: number])[];
const noAtoms: Atoms = () => [];

export const selection = (buffer: TextBuffer): readonly [number, number] | undefined =>
  buffer.anchor === undefined || buffer.anchor === buffer.cursor
    ? undefined
    : [Math.min(buffer.anchor, buffer.cursor), Math.max(buffer.anchor, buffer.cursor)];

/** Text in the place of the selection, or at the cursor. */
export function insert(buffer: TextBuffer, text: string): TextBuffer {
  const [from, to] = selection(buffer) ?? [buffer.cursor, buffer.cursor];
  return { text: buffer.text.slice(0, from) + text + buffer.text.slice(to), cursor: from + text.length };
}

export function remove(buffer: TextBuffer, from: number, to: number): TextBuffer {
  const [low, high] = from < to ? [from, to] : [to, from];
  return { text: buffer.text.slice(0, low) + buffer.text.slice(high), cursor: low };
}

export function moveTo(buffer: TextBuffer, cursor: number, how: "move" | "select" = "move"): TextBuffer {
  const at = Math.max(0, Math.min(buffer.text.length, cursor));
  return how === "select"
    ? { ...buffer, cursor: at, anchor: buffer.anchor ?? buffer.cursor }
    : { text: buffer.text, cursor: at };
}

/** The offset one character before or after. */
export function step(text: string, at: number, by: -1 | 1, atoms: Atoms = noAtoms): number {
  if (by < 0 ? at <= 0 : at >= text.length) return at;
  const atom = atoms(text).find(([from, to]) => (by < 0 ? at > from && at <= to : at >= from && at < to));
  if (atom) return by < 0 ? atom[0] : atom[1];
  if (by < 0) {
    if (text[at - 1] === "\n") return at - 1;
    return at - (graphemes(text.slice(lineStart(text, at), at)).at(-1)?.length ?? 1);
  }
  if (text[at] === "\n") return at + 1;
  return at + (graphemes(text.slice(at, Math.min(lineEnd(text, at), at + 64)))[0]?.length ?? 1);
}

/** The text with the characters around the cursor swapped; at the end of the text, the two before it. */
export function transpose({ text, cursor }: TextBuffer): TextBuffer | undefined {
  const at = cursor === text.length ? step(text, cursor, -1) : cursor;
  const first = step(text, at, -1);
  const second = step(text, at, 1);
  if (first === at) return undefined;
  return {
    text: text.slice(0, first) + text.slice(at, second) + text.slice(first, at) + text.slice(second),
    cursor: second,
  };
}

export const lineStart = (text: string, at: number): number => (at <= 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1);
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

export type CharKind = "space" | "word" | "mark" | "han" | "hiragana" | "katakana";
/** The kind of a character; a word ends where it changes, in scripts without spaces where the letters change. */
export function charKind(char: string): CharKind {
  if (char === "" || /\s/u.test(char)) return "space";
  if (/[!-~]/.test(char)) return /\w/.test(char) ? "word" : "mark";
  if (/\p{Script=Han}/u.test(char)) return "han";
  if (/\p{Script=Hiragana}/u.test(char)) return "hiragana";
  if (/\p{scx=Katakana}/u.test(char)) return "katakana";
  return /[\p{L}\p{N}\p{M}]/u.test(char) ? "word" : "mark";
}

export function wordLeft(text: string, at: number, atoms: Atoms = noAtoms): number {
  let here = at;
  while (here > 0 && charKind(before(text, here)) === "space") here = step(text, here, -1, atoms);
  const kind = charKind(before(text, here));
  while (here > 0 && charKind(before(text, here)) === kind) {
    const next = step(text, here, -1, atoms);
    if (next < here - 2 && atoms(text).some(([from]) => from === next)) return here === at ? next : here;
    here = next;
  }
  return here;
}

export function wordRight(text: string, at: number, atoms: Atoms = noAtoms): number {
  let here = at;
  while (here < text.length && charKind(after(text, here)) === "space") here = step(text, here, 1, atoms);
  const kind = charKind(after(text, here));
  while (here < text.length && charKind(after(text, here)) === kind) here = step(text, here, 1, atoms);
  return here;
}

export const before = (text: string, at: number): string =>
  at <= 0 ? "" : String.fromCodePoint(text.codePointAt(isLow(text, at - 1) ? at - 2 : at - 1) ?? 32);
export const after = (text: string, at: number): string =>
  at >= text.length ? "" : String.fromCodePoint(text.codePointAt(at) ?? 32);
const isLow = (text: string, at: number) => at > 0 && text.charCodeAt(at) >= 0xdc00 && text.charCodeAt(at) <= 0xdfff;
