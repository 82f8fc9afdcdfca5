import type { SecretSpan } from "./scan.ts";

/** A text without what a terminal obeys, and where a place of it stands in the whole. */
export interface StrippedText {
  text: string;
  back(hits: readonly SecretSpan[]): SecretSpan[];
}

/** Colours and their like, and signs that nobody sees. In bytes taken for Latin-1 they look the same. */
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are the subject here
const unseen =
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x00-\x1f\x7f]{0,2048}(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]?|\xc2[\x80-\x9f]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: control characters are the subject here

const signs = ["\x1b", "\0", "\b"];

/** Undefined where nothing is to be taken away. What is kept of an output is kept without them, and so joined again. */
export function withoutEscapes(text: string): StrippedText | undefined {
  if (!signs.some((sign) => text.includes(sign))) return undefined;
  const parts: string[] = [];
  /** Start of each part, here and in the whole. */
  const begins: { here: number; there: number }[] = [];
  let [here, from] = [0, 0];
  const take = (to: number) => {
    if (to > from) {
      parts.push(text.slice(from, to));
      begins.push({ here, there: from });
      here += to - from;
    }
  };
  for (const { index, 0: whole } of text.matchAll(unseen)) {
    take(index);
    from = index + whole.length;
  }
  take(text.length);
  return {
    text: parts.join(""),
    back(hits) {
      let at = 0;
      const place = (position: number): number => {
        while ((begins[at + 1]?.here ?? Number.POSITIVE_INFINITY) <= position) at++;
        const begin = begins[at];
        return begin ? begin.there + position - begin.here : position;
      };
      return hits.map(({ start, end }) => ({ start: place(start), end: place(end - 1) + 1 }));
    },
  };
}
