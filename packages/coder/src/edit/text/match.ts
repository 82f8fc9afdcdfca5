import type { Lines } from "./line.ts";

/** A text with LF line ends only, and the way back to where each character stands in the original. */
export class Plain {
  readonly text: string;
  /** Offsets in the plain text of the line ends that were two characters. */
  readonly #wide: number[] = [];

  constructor(original: string) {
    this.text = original.replace(/\r\n?/g, "\n");
    if (this.text.length === original.length) return;
    for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2))
      this.#wide.push(at - this.#wide.length);
  }

  /** The offset in the original of an offset in the plain text. */
  back(offset: number): number {
    let [low, high] = [0, this.#wide.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#wide[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return offset + low;
  }
}

/** Where `part` stands in `text`, places that overlap included; at most `most` of them. */
export function places(text: string, part: string, most = 1000): number[] {
  const spots: number[] = [];
  for (let at = text.indexOf(part); at !== -1 && spots.length < most; at = text.indexOf(part, at + 1)) spots.push(at);
  return spots;
}

/** The first line of each run of lines that is the same as `wanted` but for white space. Blank lines must be blank. */
export function loosely(lines: Lines, wanted: readonly string[]): number[] {
  const keys = wanted.map(squeeze);
  return sameFrom(lines, keys).flatMap((same, at) => (same === keys.length ? [at + 1] : []));
}

/**
 * How many lines of `keys` stand at each line of the file, from their first on. In one pass (what was seen to be the
 * same is not looked at again), because a file may hold the same line very often.
 */
function sameFrom(lines: Lines, keys: readonly string[]): number[] {
  const file = Array.from({ length: lines.count }, (_, i) => squeeze(lines.at(i + 1)));
  const all = [...keys, undefined, ...file];
  const same = new Array<number>(all.length).fill(0);
  let [left, right] = [0, 0];
  for (let at = 1; at < all.length; at++) {
    let count = at < right ? Math.min(right - at, same[at - left] ?? 0) : 0;
    while (at + count < all.length && all[count] !== undefined && all[count] === all[at + count]) count++;
    same[at] = count;
    if (at + count > right) [left, right] = [at, at + count];
  }
  return same.slice(keys.length + 1);
}

export interface Near {
  /** The first line that differs. */
  line: number;
  /** What was looked for there. */
  wanted: string;
  /** How many lines before it are the same. */
  same: number;
}

/**
 * The place that comes nearest: the first line of `wanted` that says something is there, and as many after it as
 * anywhere.
 */
export function nearestPlace(lines: Lines, wanted: readonly string[]): Near | undefined {
  const first = wanted.findIndex((line) => line.trim() !== "");
  const keys = wanted.slice(first).map(squeeze);
  let best: { same: number; line: number } | undefined;
  for (const [at, same] of (first === -1 ? [] : sameFrom(lines, keys)).entries())
    if (same > (best?.same ?? 0)) best = { same, line: at + 1 + same };
  return best && { ...best, wanted: wanted[first + best.same] ?? "" };
}

/** The line most like this one: by the share of its beginning and end that is the same. */
export function likestLine(lines: Lines, wanted: string): number | undefined {
  const key = squeeze(wanted);
  let best: { alike: number; line: number } | undefined;
  for (let n = 1; n <= lines.count; n++) {
    const alike = likeness(squeeze(lines.at(n)), key);
    if (alike > (best?.alike ?? 0.4)) best = { alike, line: n };
  }
  return best?.line;
}

function likeness(a: string, b: string): number {
  const short = Math.min(a.length, b.length);
  let head = 0;
  while (head < short && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < short - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return (head + tail) / Math.max(a.length, b.length, 1);
}

const squeeze = (line: string): string => line.trim().replace(/\s+/g, " ");
