import { after, charKind, lineEnd, lineStart, step } from "../buffer.ts";

export interface TextRange {
  readonly from: number;
  readonly to: number;
  readonly lines: boolean;
}

/** `i` takes the inside of an object, `a` also its quotes, brackets or spaces. */
export type ObjectSide = "i" | "a";

const pairs: Record<string, string> = {
  b: "()", B: "{}", "(": "()", ")": "()", "[": "[]", "]": "[]", "{": "{}", "}": "{}", "<": "<>", ">": "<>",
}; // biome-ignore format: a table

/** The object around the cursor: `iw`, `a"`, `i(` and the like. */
export function textObject(text: string, at: number, side: ObjectSide, key: string): TextRange | undefined {
  if (key === "w") return word(text, at, side, (kind) => kind);
  if (key === "W") return word(text, at, side, (kind) => (kind === "space" ? kind : "word"));
  if (key === "p") return paragraph(text, at, side);
  if (key === '"' || key === "'" || key === "`") return quoted(text, at, side, key);
  const [open, close] = pairs[key] ?? "";
  return open && close ? enclosed(text, at, side, open, close) : undefined;
}

const part = (from: number, to: number): TextRange => ({ from, to, lines: false });

function word(text: string, at: number, side: ObjectSide, group: (kind: string) => string): TextRange {
  const [low, high] = [lineStart(text, at), lineEnd(text, at)];
  const kind = (place: number) => group(charKind(after(text, place)));
  const until = (place: number, kindHere = kind(place)) => {
    let to = place;
    while (to < high && kind(to) === kindHere) to = step(text, to, 1);
    return to;
  };
  let from = at;
  while (from > low && kind(step(text, from, -1)) === kind(at)) from = step(text, from, -1);
  const to = until(at);
  if (side === "i") return part(from, to);
  // A word goes with the space behind it, or else with the one before it; a space with the word behind it.
  if (kind(at) === "space") return part(from, to < high ? until(to) : to);
  if (to < high && kind(to) === "space") return part(from, until(to));
  while (from > low && kind(step(text, from, -1)) === "space") from = step(text, from, -1);
  return part(from, to);
}

function quoted(text: string, at: number, side: ObjectSide, quote: string): TextRange | undefined {
  const low = lineStart(text, at);
  const places = [...text.slice(low, lineEnd(text, at)).matchAll(new RegExp(quote, "g"))].map(
    (match) => low + match.index,
  );
  for (let each = 0; each + 1 < places.length; each += 2) {
    const [from = 0, to = 0] = [places[each], places[each + 1]];
    if (to < at) continue;
    if (side === "i") return part(from + 1, to);
    const behind = /^[ \t]*/.exec(text.slice(to + 1))?.[0].length ?? 0;
    const ahead = behind > 0 ? 0 : (/[ \t]*$/.exec(text.slice(low, from))?.[0].length ?? 0);
    return part(from - ahead, to + 1 + behind);
  }
  return undefined;
}

function enclosed(text: string, at: number, side: ObjectSide, open: string, close: string): TextRange | undefined {
  const from = opening(text, at, open, close);
  if (from === -1) return undefined;
  let depth = 0;
  for (let to = from + 1; to < text.length; to++) {
    if (text[to] === open) depth++;
    else if (text[to] === close && depth-- === 0) return side === "i" ? part(from + 1, to) : part(from, to + 1);
  }
  return undefined;
}

// The bracket that is open here, or else the next one of the line.
function opening(text: string, at: number, open: string, close: string): number {
  let depth = 0;
  for (let here = at; here >= 0; here--) {
    if (text[here] === close && here !== at) depth++;
    else if (text[here] === open && depth-- === 0) return here;
  }
  return text.slice(0, lineEnd(text, at)).indexOf(open, at);
}

function paragraph(text: string, at: number, side: ObjectSide): TextRange {
  const blank = (place: number) => text.slice(lineStart(text, place), lineEnd(text, place)).trim() === "";
  const blankHere = blank(at);
  let from = lineStart(text, at);
  while (from > 0 && blank(from - 1) === blankHere) from = lineStart(text, from - 1);
  const until = (place: number, what: boolean) => {
    let to = lineEnd(text, place);
    while (to < text.length && blank(to + 1) === what) to = lineEnd(text, to + 1);
    return to;
  };
  let to = until(at, blankHere);
  if (side === "a") {
    if (to < text.length) to = until(to + 1, !blankHere);
    else while (from > 0 && blank(from - 1) !== blankHere) from = lineStart(text, from - 1);
  }
  return { from, to, lines: true };
}
