import { after, type Buffer, kindOf, lineEnd, lineStart, step } from "./buffer.ts";

export interface Reach {
  readonly to: number;
  /** The character at the end belongs to it. */
  readonly includes?: true;
  readonly lines?: boolean;
}
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly lines: boolean;
}

/** Where a motion key leads from the cursor. */
export function reach({ text, cursor }: Buffer, key: string, count: number, char = ""): Reach | undefined {
  const single = motions[key];
  if (single) {
    let at = cursor;
    for (let times = count; times > 0; times--) at = single(text, at);
    return { to: at, ...(key === "e" || key === "E" ? { includes: true as const } : {}) };
  }
  if (key === "G") return { to: text.length, lines: true };
  if (key === "j" || key === "k") return { to: vertical(text, cursor, key === "j" ? count : -count), lines: true };
  return ["f", "F", "t", "T"].includes(key) ? seek(text, cursor, key, char, count) : undefined;
}

const big = (kind: string) => (kind === "space" ? "space" : "word");
type Single = (text: string, at: number) => number;

const wordForward =
  (group: (kind: string) => string): Single =>
  (text, at) => {
    let here = at;
    const first = group(kindOf(after(text, here)));
    while (here < text.length && first !== "space" && group(kindOf(after(text, here))) === first) here = step(text, here, 1);
    while (here < text.length && kindOf(after(text, here)) === "space") here = step(text, here, 1);
    return here;
  };
const wordBack =
  (group: (kind: string) => string): Single =>
  (text, at) => {
    let here = step(text, at, -1);
    while (here > 0 && kindOf(after(text, here)) === "space") here = step(text, here, -1);
    const kind = group(kindOf(after(text, here)));
    while (here > 0 && group(kindOf(after(text, step(text, here, -1)))) === kind) here = step(text, here, -1);
    return here;
  };
const wordEnd =
  (group: (kind: string) => string): Single =>
  (text, at) => {
    let here = step(text, at, 1);
    while (here < text.length && kindOf(after(text, here)) === "space") here = step(text, here, 1);
    const kind = group(kindOf(after(text, here)));
    while (step(text, here, 1) < text.length && group(kindOf(after(text, step(text, here, 1)))) === kind) here = step(text, here, 1);
    return Math.min(here, text.length);
  };
const same = (kind: string) => kind;

const motions: Record<string, Single> = {
  h: (text, at) => Math.max(lineStart(text, at), step(text, at, -1)),
  left: (text, at) => Math.max(lineStart(text, at), step(text, at, -1)),
  backspace: (text, at) => step(text, at, -1),
  l: (text, at) => Math.min(lineEnd(text, at), step(text, at, 1)),
  right: (text, at) => Math.min(lineEnd(text, at), step(text, at, 1)),
  " ": (text, at) => step(text, at, 1),
  "0": (text, at) => lineStart(text, at),
  home: (text, at) => lineStart(text, at),
  "^": (text, at) => lineStart(text, at) + (/^[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0].length ?? 0),
  $: (text, at) => lineEnd(text, at),
  end: (text, at) => lineEnd(text, at),
  w: wordForward(same), W: wordForward(big), b: wordBack(same), B: wordBack(big), e: wordEnd(same), E: wordEnd(big),
}; // biome-ignore format: a table

function vertical(text: string, at: number, by: number): number {
  const column = at - lineStart(text, at);
  let here = at;
  for (let done = 0; done < Math.abs(by); done++) {
    const next = by > 0 ? lineEnd(text, here) + 1 : lineStart(text, here) - 1;
    if (next < 0 || next > text.length) break;
    here = lineStart(text, next);
  }
  return Math.min(lineStart(text, here) + column, lineEnd(text, here));
}

function seek(text: string, cursor: number, key: string, char: string, count: number): Reach | undefined {
  const forward = key === "f" || key === "t";
  const [low, high] = [lineStart(text, cursor), lineEnd(text, cursor)];
  let at = cursor;
  for (let times = count; times > 0; times--) {
    at = forward ? text.indexOf(char, at + 1) : at === 0 ? -1 : text.lastIndexOf(char, at - 1);
    if (char === "" || at === -1 || at < low || at >= high) return undefined;
  }
  if (key === "t") return { to: step(text, at, -1), includes: true };
  return key === "T" ? { to: step(text, at, 1) } : forward ? { to: at, includes: true } : { to: at };
}

const pairs: Record<string, string> = { "(": "()", ")": "()", b: "()", "[": "[]", "]": "[]", "{": "{}", "}": "{}", B: "{}", "<": "<>", ">": "<>" };

/** `iw`, `a"`, `i(` …: what lies around the cursor. */
export function textObject(text: string, at: number, side: "i" | "a", key: string): Range | undefined {
  if (key === "w" || key === "W") return word(text, at, side, key === "W" ? big : same);
  if (key === '"' || key === "'" || key === "`") return quoted(text, at, side, key);
  const pair = pairs[key];
  return pair ? enclosed(text, at, side, pair[0] ?? "", pair[1] ?? "") : undefined;
}

function word(text: string, at: number, side: "i" | "a", group: (kind: string) => string): Range {
  const kind = group(kindOf(after(text, at)));
  const [low, high] = [lineStart(text, at), lineEnd(text, at)];
  let from = at;
  while (from > low && group(kindOf(after(text, step(text, from, -1)))) === kind) from = step(text, from, -1);
  let to = at;
  while (to < high && group(kindOf(after(text, to))) === kind) to = step(text, to, 1);
  if (side === "a") while (to < high && kindOf(after(text, to)) === "space") to = step(text, to, 1);
  return { from, to, lines: false };
}

function quoted(text: string, at: number, side: "i" | "a", quote: string): Range | undefined {
  const low = lineStart(text, at);
  const places = [...text.slice(low, lineEnd(text, at)).matchAll(new RegExp(quote, "g"))].map((match) => low + match.index);
  for (let each = 0; each + 1 < places.length; each += 2) {
    const [from = 0, to = 0] = [places[each], places[each + 1]];
    if (to >= at) return side === "i" ? { from: from + 1, to, lines: false } : { from, to: to + 1, lines: false };
  }
  return undefined;
}

function enclosed(text: string, at: number, side: "i" | "a", open: string, close: string): Range | undefined {
  let depth = 0;
  let from = -1;
  for (let here = at; here >= 0 && from === -1; here--) {
    if (text[here] === close && here !== at) depth++;
    else if (text[here] === open && depth-- === 0) from = here;
  }
  if (from === -1) return undefined;
  depth = 0;
  for (let to = from + 1; to < text.length; to++) {
    if (text[to] === open) depth++;
    else if (text[to] === close && depth-- === 0) return side === "i" ? { from: from + 1, to, lines: false } : { from, to: to + 1, lines: false };
  }
  return undefined;
}
