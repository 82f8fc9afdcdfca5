import { shorten } from "@pith/kit";
import { firstFrom, sharedEnds } from "./ends.ts";
import type { Lines } from "./line.ts";

/** A text with LF line ends only, and the way back to the place of each character in the original. */
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
    return offset + firstFrom(this.#wide, offset);
  }
}

/** The places of `part` in `text`, those that overlap included; at most `most` of them. */
export function placesOf(text: string, part: string, most = 1000): number[] {
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
 * Counts the lines of `keys`, from their first on, that stand at each line of the file. In one pass (lines that were
 * seen to be the same are not compared again), because a file may hold the same line very often.
 */
function sameFrom(lines: Lines, keys: readonly string[]): number[] {
  const all = [...keys, undefined, ...lines.all().map(squeeze)];
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

/** The lines of a file that come nearest to those that were looked for. */
export interface NearestPlace {
  /** The first line that differs. */
  line: number;
  /** The line that was looked for there. */
  wanted: string;
  /** The number of lines before it that are the same. */
  same: number;
}

/** The place where the first line of `wanted` that is not blank stands, and as many after it as anywhere. */
export function nearestPlace(lines: Lines, wanted: readonly string[]): NearestPlace | undefined {
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
  for (const [i, line] of lines.all().entries()) {
    const alike = likeness(squeeze(line), key);
    if (alike > (best?.alike ?? 0.4)) best = { alike, line: i + 1 };
  }
  return best?.line;
}

function likeness(a: string, b: string): number {
  const { head, tail } = sharedEnds(a, b);
  return (head + tail) / Math.max(a.length, b.length, 1);
}

/** A sentence about the nearest lines, for a text that was looked for in vain; `name` stands for that. Or nothing. */
export function nearestText(lines: Lines, wanted: readonly string[], name: string): string {
  const near = nearestPlace(lines, wanted);
  if (!near) {
    const line = likestLine(lines, wanted.find((row) => row.trim() !== "") ?? "");
    return line === undefined ? "" : ` The nearest line is ${line}: ${quoted(lines.at(line))}.`;
  }
  if (near.same === wanted.length) return " But for white space they are, more than once: copy them as they are.";
  const goesOn = `${name} ${near.line > lines.count ? "goes on with" : "has"} ${quoted(near.wanted)}`;
  return near.line > lines.count
    ? ` The file ends after line ${lines.count}, where ${goesOn}.`
    : ` The nearest place differs at line ${near.line}: the file has ${quoted(lines.at(near.line))}, ${goesOn}.`;
}

const quoted = (line: string): string => JSON.stringify(shorten(line, 160));

const squeeze = (line: string): string => line.trim().replace(/\s+/g, " ");
