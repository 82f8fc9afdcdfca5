/** The candidate a person most likely meant, or nothing when none is close: at most a third of the letters differ. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.floor(Math.max(word.length, 3) / 3) + 1;
  for (const candidate of candidates) {
    // The same length wins between two that are equally far: letters are swapped more often than forgotten.
    const far =
      distance(word.toLowerCase(), candidate.toLowerCase(), least + 1) + (candidate.length === word.length ? 0 : 0.5);
    if (far < least) [best, least] = [candidate, far];
  }
  return best;
}

/** Letters to add, drop, change or swap with the neighbour; gives up at `limit`. */
export function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? limit) + 1);
      row.push(least);
    }
    [before, above] = [above, row];
  }
  return above[b.length] ?? limit;
}
