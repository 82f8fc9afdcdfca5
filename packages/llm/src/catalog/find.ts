/** The id that a query most likely means: it contains every word of the query; newer ids win, then shorter ones. */
export function bestMatch(query: string, ids: Iterable<string>): string | undefined {
  return matches(query, ids)[0];
}

/** All ids that a query may mean, the most likely first. */
export function matches(query: string, ids: Iterable<string>): string[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const fitting = [...ids].filter((id) => {
    const letters = plain(id);
    return words.every((word) => letters.includes(word));
  });
  return fitting.sort(
    (a, b) => rank(a, query) - rank(b, query) || newer(a, b) || a.length - b.length || (a < b ? -1 : 1),
  );
}

const wordsOf = (text: string): string[] =>
  text
    .split(/[\s_-]+/)
    .map(plain)
    .filter(Boolean);

/** Some ids have 4-5 where people write 4.5, and the other way round. */
const plain = (text: string): string => text.toLowerCase().replaceAll(".", "-");

/**
 * Ranks dated and batch variants behind the plain model, and ids that begin with the query before those that contain
 * it.
 */
function rank(id: string, query: string): number {
  const name = id.slice(id.lastIndexOf("/") + 1).toLowerCase();
  const twin = /\d{6,}|:batch$|preview|-exp\b/.test(name) ? 2 : 0;
  return twin + (name.startsWith(query.toLowerCase()) ? 0 : 1);
}

/** Compares the numbers in two names, the higher first. */
function newer(a: string, b: string): number {
  const [ours, theirs] = [a, b].map((id) => (id.replace(/\d{6,}/g, "").match(/\d+/g) ?? []).map(Number));
  for (let at = 0; at < Math.max(ours?.length ?? 0, theirs?.length ?? 0); at++) {
    const gap = (theirs?.[at] ?? 0) - (ours?.[at] ?? 0);
    if (gap !== 0) return gap;
  }
  return 0;
}
