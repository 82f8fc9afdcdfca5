/** Typographic characters and what stands for them on a keyboard; nothing else is folded. */
const folds: readonly [RegExp, string][] = [
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2018-\u201b]/g, "'"],
  [/[\u201c-\u201f]/g, '"'],
  [/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " "],
];

export const fold = (line: string): string => folds.reduce((text, [from, to]) => text.replace(from, to), line.trim());

/** From the strictest to the most forgiving. */
const views: readonly ((line: string) => string)[] = [(line) => line, (line) => line.trimEnd(), (line) => line.trim(), fold];

/** The lines of a file in each of the four views, made when they are first needed. */
export class Haystack {
  readonly lines: readonly string[];
  readonly #views: (readonly string[] | undefined)[] = [];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  view(n: number): readonly string[] {
    this.#views[n] ??= n === 0 ? this.lines : this.lines.map(views[n] ?? (views[0] as (line: string) => string));
    return this.#views[n];
  }
}

export interface Sought {
  /** Index of the first line. */
  at: number;
  /** How many places were as good as this one, itself included. */
  places: number;
}

/** The first place at or after `start` where the pattern stands, by the strictest view that finds one. With `atEnd` the tail of the file is tried first. */
export function seek(hay: Haystack, pattern: readonly string[], start: number, atEnd: "at end" | "anywhere"): Sought | undefined {
  if (pattern.length === 0) return { at: start, places: 1 };
  const last = hay.lines.length - pattern.length;
  if (last < 0) return undefined;
  const wanted = views.map((view) => pattern.map(view));
  const fits = (view: number, at: number) => {
    const [file, own] = [hay.view(view), wanted[view] ?? []];
    for (let i = 0; i < own.length; i++) if (file[at + i] !== own[i]) return false;
    return true;
  };
  if (atEnd === "at end" && last >= start) for (const [view] of views.entries()) if (fits(view, last)) return { at: last, places: 1 };
  for (const [view] of views.entries()) {
    let found: Sought | undefined;
    for (let at = start; at <= last; at++) {
      if (!fits(view, at)) continue;
      if (found) found.places++;
      else found = { at, places: 1 };
    }
    if (found) return found;
  }
  return undefined;
}
