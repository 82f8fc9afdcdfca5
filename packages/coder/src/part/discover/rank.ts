/** A document that is found by words. */
export interface Document {
  name: string;
  label: string;
  /** Its name at its source. */
  original: string;
  source: string;
  summary: string;
  /** Names of its arguments. */
  keys: readonly string[];
}

export interface Ranked<D> {
  document: D;
  score: number;
}

const weights = { name: 6, label: 4, original: 4, source: 2, summary: 2, keys: 1 } as const;
const k1 = 1.2;
const b = 0.75;
const delta = 1;

/** Ranks the documents that contain any word of the query, by BM25+ over weighted fields; ties by name. */
export function rank<D extends Document>(documents: readonly D[], query: string): Ranked<D>[] {
  const counted = documents.map((document) => ({ document, ...count(document) }));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const terms = [...new Set(wordsOf(query))];
  const rarity = new Map(
    terms.map((term) => {
      const holding = counted.filter(({ counts }) => counts.has(term)).length;
      return [term, Math.log(1 + (counted.length - holding + 0.5) / (holding + 0.5))];
    }),
  );
  const scoreOf = ({ counts, length }: { counts: ReadonlyMap<string, number>; length: number }) =>
    terms.reduce((sum, term) => {
      const often = counts.get(term) ?? 0;
      if (often === 0) return sum;
      const share = (often * (k1 + 1)) / (often + k1 * (1 - b + (b * length) / average));
      return sum + (rarity.get(term) ?? 0) * (share + delta);
    }, 0);
  return counted
    .map((each) => ({ document: each.document, score: scoreOf(each) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || (one.document.name < other.document.name ? -1 : 1));
}

function count(document: Document): { counts: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  let length = 0;
  for (const [field, weight] of Object.entries(weights) as [keyof typeof weights, number][])
    for (const word of [document[field]].flat().flatMap(wordsOf)) {
      counts.set(word, (counts.get(word) ?? 0) + weight);
      length += weight;
    }
  return { counts, length };
}

/** Splits a text into words for comparison: without common ones, as stems. */
const wordsOf = (text: string): string[] => {
  const words = tokens(text);
  const telling = words.filter((word) => !common.has(word));
  return (telling.length > 0 ? telling : words).map(stemOf);
};

/** Splits a text into lower-case tokens without accents; `readFile2` and `HTMLParser` are split, too. */
export const tokens = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2")
    .replace(/(\p{N})(\p{L})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase()
    .split(" ")
    .filter(Boolean);

const common: ReadonlySet<string> = new Set(
  [
    "a an and any are as at be by can do for from get how i in is it",
    "me my of on or that the this to tool tools use want with you",
  ].flatMap((row) => row.split(" ")),
);

/** Reduces `match`, `matches`, `matching`, `matched` to one form. */
function stemOf(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word.length > 3 ? word.replace(/([^s])s$/, "$1") : word;
  const stem = word
    .replace(/(?:ies|ied)$/, "y")
    .replace(/(?:ing|edly|ed|ers|er|es|ions|ion|ally|ly|s)$/, "")
    .replace(/(.)\1$/, "$1")
    .replace(/e$/, "");
  return stem.length >= 3 ? stem : word;
}
