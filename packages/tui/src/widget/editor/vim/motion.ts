import { after, charKind, lineEnd, lineStart, step, type TextBuffer } from "../buffer.ts";

export interface MotionEnd {
  readonly to: number;
  /** True if the character at the end belongs to the motion. */
  readonly includes?: boolean;
  readonly lines?: boolean;
}

export interface MotionInput {
  readonly times: number;
  /** The number that was typed, if any. */
  readonly count?: number;
  /** The character after `f`, `t` and the like. */
  readonly char?: string;
}

/** The end of a motion from the cursor; undefined where the key is none, or leads nowhere. */
export function motionEnd({ text, cursor }: TextBuffer, key: string, input: MotionInput): MotionEnd | undefined {
  const single = singles[key];
  if (single) {
    let at = cursor;
    for (let left = input.times; left > 0; left--) at = single(text, at);
    return { to: at, includes: inclusive.has(key) };
  }
  return motions[key]?.(text, cursor, input);
}

export const firstLetter = (text: string, at: number): number => {
  const start = lineStart(text, at);
  return start + (/^[ \t]*/.exec(text.slice(start, lineEnd(text, at)))?.[0].length ?? 0);
};

/** The start of the line `by` lines below (above), or of the last one there is; undefined if there is no other line. */
export function lineAway(text: string, at: number, by: number): number | undefined {
  let start = lineStart(text, at);
  for (let left = Math.abs(by); left > 0; left--) {
    const next = by > 0 ? lineEnd(text, start) + 1 : start - 1;
    if (next < 0 || next > text.length) return left === Math.abs(by) && by !== 0 ? undefined : start;
    start = lineStart(text, next);
  }
  return start;
}

type Group = (kind: string) => string;
const small: Group = (kind) => kind;
const big: Group = (kind) => (kind === "space" ? "space" : "word");
const kind = (text: string, at: number, group: Group) => group(charKind(after(text, at)));
const isSpace = (text: string, at: number) => charKind(after(text, at)) === "space";
const isEmptyLine = (text: string, at: number) => lineStart(text, at) === at && lineEnd(text, at) === at;

type Single = (text: string, at: number) => number;

/** Steps on while the condition holds, at most to an end of the text. */
function skip(text: string, at: number, by: 1 | -1, holds: (here: number) => boolean): number {
  let here = at;
  while ((by > 0 ? here < text.length : here > 0) && holds(here)) here = step(text, here, by);
  return here;
}

const wordForward =
  (group: Group): Single =>
  (text, at) => {
    const first = kind(text, at, group);
    const end = skip(text, at, 1, (here) => first !== "space" && kind(text, here, group) === first);
    return skip(text, end, 1, (here) => isSpace(text, here) && !(here > at && isEmptyLine(text, here)));
  };
const wordBack =
  (group: Group): Single =>
  (text, at) => {
    const last = skip(text, step(text, at, -1), -1, (here) => isSpace(text, here) && !isEmptyLine(text, here));
    const kindHere = kind(text, last, group);
    const isSame = (here: number) => kindHere !== "space" && kind(text, step(text, here, -1), group) === kindHere;
    return skip(text, last, -1, isSame);
  };
const wordEnd =
  (group: Group): Single =>
  (text, at) =>
    runEnd(
      text,
      skip(text, step(text, at, 1), 1, (here) => isSpace(text, here)),
      group,
    );
const wordEndBack =
  (group: Group): Single =>
  (text, at) => {
    const kindHere = kind(text, at, group);
    const start = skip(text, at, -1, (here) => kindHere !== "space" && kind(text, here, group) === kindHere);
    return skip(text, start, -1, (here) => isSpace(text, here) && !(here < at && isEmptyLine(text, here)));
  };

/** The last character of the run of one kind that the given one is in. */
function runEnd(text: string, at: number, group: Group): number {
  const kindHere = kind(text, at, group);
  let here = at;
  while (step(text, here, 1) < text.length && kind(text, step(text, here, 1), group) === kindHere)
    here = step(text, here, 1);
  return here;
}

const left: Single = (text, at) => Math.max(lineStart(text, at), step(text, at, -1));
const right: Single = (text, at) => Math.min(lineEnd(text, at), step(text, at, 1));
const singles: Record<string, Single> = {
  h: left, left, l: right, right, " ": (text, at) => step(text, at, 1), backspace: (text, at) => step(text, at, -1),
  "0": lineStart, home: lineStart, "^": firstLetter, w: wordForward(small), W: wordForward(big), b: wordBack(small),
  B: wordBack(big), e: wordEnd(small), E: wordEnd(big), ge: wordEndBack(small), gE: wordEndBack(big),
  "}": paragraphForward, "{": paragraphBack,
}; // biome-ignore format: a table
const inclusive = new Set(["e", "E", "ge", "gE"]);

function paragraphForward(text: string, at: number): number {
  let here = lineStart(text, at);
  while (isEmptyLine(text, here) && here < text.length) here++;
  while (!isEmptyLine(text, here)) {
    if (lineEnd(text, here) === text.length) return text.length;
    here = lineEnd(text, here) + 1;
  }
  return here;
}
function paragraphBack(text: string, at: number): number {
  let here = lineStart(text, at);
  while (isEmptyLine(text, here) && here > 0) here = lineStart(text, here - 1);
  while (!isEmptyLine(text, here) && here > 0) here = lineStart(text, here - 1);
  return here;
}

type Motion = (text: string, at: number, input: MotionInput) => MotionEnd | undefined;
const lineWise = (to: number | undefined): MotionEnd | undefined =>
  to === undefined ? undefined : { to, lines: true };
const end: Motion = (text, at, { times }) => ({ to: lineEnd(text, lineAway(text, at, times - 1) ?? at) });
const vertical =
  (sign: 1 | -1): Motion =>
  (text, at, { times }) => {
    const start = lineAway(text, at, sign * times);
    return start === undefined
      ? undefined
      : { to: Math.min(start + at - lineStart(text, at), lineEnd(text, start)), lines: true };
  };
const toLine =
  (otherwise: (text: string) => number): Motion =>
  (text, _, { count }) => {
    const to = count === undefined ? otherwise(text) : (lineAway(text, 0, count - 1) ?? 0);
    return { to: firstLetter(text, to), lines: true };
  };
const beside =
  (sign: 1 | -1): Motion =>
  (text, at, { times }) => {
    const start = lineAway(text, at, sign * times);
    return lineWise(start === undefined ? undefined : firstLetter(text, start));
  };
const seeking =
  (key: "f" | "F" | "t" | "T"): Motion =>
  (text, at, { times, char = "" }) =>
    seek(text, at, key, char, times);

const motions: Record<string, Motion> = {
  $: end, end, j: vertical(1), down: vertical(1), k: vertical(-1), up: vertical(-1),
  G: toLine((text) => lineStart(text, text.length)), gg: toLine(() => 0), "+": beside(1), "-": beside(-1),
  _: (text, at, { times }) => lineWise(firstLetter(text, lineAway(text, at, times - 1) ?? at)),
  "|": (text, at, { times }) => {
    let to = lineStart(text, at);
    for (let past = times - 1; past > 0; past--) to = right(text, to);
    return { to };
  },
  f: seeking("f"), F: seeking("F"), t: seeking("t"), T: seeking("T"), "%": partner,
  // Changing a word leaves the space behind it, and a word of one letter is a word.
  cw: (text, at, { times }) => wordToChange(text, at, times, small),
  cW: (text, at, { times }) => wordToChange(text, at, times, big),
}; // biome-ignore format: a table

function wordToChange(text: string, at: number, times: number, group: Group): MotionEnd {
  let to = runEnd(text, at, group);
  for (let more = times - 1; more > 0; more--) to = wordEnd(group)(text, to);
  return { to, includes: true };
}

function seek(text: string, cursor: number, key: string, char: string, times: number): MotionEnd | undefined {
  const forward = key === "f" || key === "t";
  const [low, high] = [lineStart(text, cursor), lineEnd(text, cursor)];
  let at = cursor;
  for (let left = times; left > 0; left--) {
    at = forward ? text.indexOf(char, at + 1) : at === 0 ? -1 : text.lastIndexOf(char, at - 1);
    if (char === "" || at === -1 || at < low || at >= high) return undefined;
  }
  if (key === "t") return { to: step(text, at, -1), includes: true };
  return key === "T" ? { to: step(text, at, 1) } : { to: at, includes: forward };
}

const brackets = ["()", "[]", "{}"] as const;
function partner(text: string, at: number): MotionEnd | undefined {
  for (let here = at; here < lineEnd(text, at); here++) {
    const pair = brackets.find((each) => each.includes(text[here] ?? " "));
    if (!pair) continue;
    const by = pair[0] === text[here] ? 1 : -1;
    let depth = 0;
    for (let there = here; there >= 0 && there < text.length; there += by) {
      if (text[there] === text[here]) depth++;
      else if (pair.includes(text[there] ?? " ") && --depth === 0) return { to: there, includes: true };
    }
    return undefined;
  }
  return undefined;
}
