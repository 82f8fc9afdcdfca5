/** Typographic characters and what stands for them on a keyboard; nothing else is folded. */
const folds: readonly [RegExp, string][] = [
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2018-\u201b]/g, "'"],
  [/[\u201c-\u201f]/g, '"'],
  [/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " "],
];

export const fold = (line: string): string => folds.reduce((text, [from, to]) => text.replace(from, to), line.trim());

/** From the strictest to the most forgiving. */
const same = (line: string): string => line;
const views: readonly ((line: string) => string)[] = [same, (line) => line.trimEnd(), (line) => line.trim(), fold];

interface View {
  lines: readonly string[];
  /** The places of each line; most stand in one only. */
  numbers: Map<string, number | number[]>;
}

/** The lines of a file in each of the four views, made when they are first needed. */
export class Haystack {
  readonly lines: readonly string[];
  readonly #views: View[] = [];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  view(n: number): View {
    const known = this.#views[n];
    if (known) return known;
    const lines = n === 0 ? this.lines : this.lines.map(views[n] ?? same);
    const numbers: View["numbers"] = new Map();
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] as string;
      const at = numbers.get(line);
      if (at === undefined) numbers.set(line, i);
      else if (typeof at === "number") numbers.set(line, [at, i]);
      else at.push(i);
    }
    this.#views[n] = { lines, numbers };
    return this.#views[n];
  }
}

export interface Sought {
  /** Index of the first line. */
  at: number;
  /** The number of places that were as good as this one, itself included. */
  count: number;
}

/**
 * The first place at or after `start` where the pattern stands, by the strictest view that finds one. With `atEnd` the
 * tail of the file is tried first.
 */
export function seek(
  hay: Haystack,
  pattern: readonly string[],
  start: number,
  atEnd: "at end" | "anywhere",
): Sought | undefined {
  if (pattern.length === 0) return { at: start, count: 1 };
  const last = hay.lines.length - pattern.length;
  if (last < 0) return undefined;
  for (const [n, view] of views.entries()) {
    const wanted = pattern.map(view);
    const { lines, numbers } = hay.view(n);
    const fits = (at: number) => wanted.every((line, i) => lines[at + i] === line);
    if (atEnd === "at end" && last >= start && fits(last)) return { at: last, count: 1 };
    const { index, at } = rarest(wanted, numbers);
    const spots = at.flatMap((line) => {
      const spot = line - index;
      return spot >= start && spot <= last && fits(spot) ? [spot] : [];
    });
    if (spots[0] !== undefined && atEnd === "anywhere") return { at: spots[0], count: spots.length };
  }
  return atEnd === "at end" ? seek(hay, pattern, start, "anywhere") : undefined;
}

/** The line of a pattern that stands in the fewest places: only those have to be looked at. */
function rarest(wanted: readonly string[], numbers: View["numbers"]): { index: number; at: readonly number[] } {
  let best: { index: number; at: readonly number[] } | undefined;
  for (const [index, line] of wanted.entries()) {
    const places = numbers.get(line) ?? [];
    const at = typeof places === "number" ? [places] : places;
    if (!best || at.length < best.at.length) best = { index, at };
    if (at.length === 0) break;
  }
  return best ?? { index: 0, at: [] };
}
