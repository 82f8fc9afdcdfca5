export interface FuzzyMatch<T> {
  readonly item: T;
  readonly score: number;
  /** Places of the matched characters, to be shown. */
  readonly at: readonly number[];
}

/**
 * Items whose text holds the letters of the query in order, the best first. Every word of the query has to be found.
 */
export function fuzzy<T>(items: readonly T[], query: string, textOf: (item: T) => string): FuzzyMatch<T>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items.map((item) => ({ item, score: 0, at: [] }));
  const out: FuzzyMatch<T>[] = [];
  for (const item of items) {
    const text = textOf(item);
    const scores = words.map((word) => score(text, word));
    if (!scores.every((each) => each !== undefined)) continue;
    out.push({
      item,
      score: scores.reduce((sum, each) => sum + each.score, 0),
      at: [...new Set(scores.flatMap((each) => each.at))].sort((a, b) => a - b),
    });
  }
  return out.sort((a, b) => b.score - a.score);
}

// Runs, beginnings of words and a substring count; gaps and length cost.
function score(text: string, word: string): { score: number; at: number[] } | undefined {
  const lower = text.toLowerCase();
  const whole = lower.indexOf(word);
  if (whole !== -1)
    return {
      score: 100 + word.length * 4 + (edge(text, whole) ? 30 : 0) - whole / 10 - text.length / 100,
      at: Array.from(word, (_, at) => whole + at),
    };
  const at: number[] = [];
  let total = 0;
  for (const char of word) {
    const next = lower.indexOf(char, (at.at(-1) ?? -1) + 1);
    if (next === -1) return undefined;
    const previous = at.at(-1);
    total += previous === next - 1 ? 6 : edge(text, next) ? 8 : 1 - Math.min(3, (next - (previous ?? 0)) / 10);
    at.push(next);
  }
  return { score: total - text.length / 100, at };
}

const edge = (text: string, at: number) =>
  at === 0 ||
  /[\s/\\._\-:]/.test(text[at - 1] ?? "") ||
  (/[A-Z]/.test(text[at] ?? "") && /[a-z]/.test(text[at - 1] ?? ""));
