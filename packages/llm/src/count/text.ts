/**
 * About how many tokens a text is. Vocabularies differ, but they cut text alike: at words, digits, signs and spaces. So
 * these are counted, each at what it costs on the average in the vocabularies of today; what a model makes of it is
 * learned from what it reports. One pass, no tables to load.
 */
export function countText(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const kind = kindAt(text, at);
    const from = at++;
    while (at < text.length && kindAt(text, at) === kind) at++;
    if (kind === upper && at < text.length && kindAt(text, at) === lower) {
      // The last capital begins the next word: `HTMLElement`, `readFile`.
      if (at - from > 1) tokens += capitals(at - 1 - from);
      const word = at - 1;
      while (at < text.length && kindAt(text, at) === lower) at++;
      tokens += wordOf(at - word);
    } else tokens += runOf(text, kind, from, at);
    for (let place = from; kind === lower && place < at; place++) if (text.charCodeAt(place) > 127) tokens += accent;
  }
  return tokens;
}

const [lower, upper, digit, space, newline, sign, han, kana, hangul, alphabet, script, mark, box, emoji] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
] as const;

const capitals = (length: number): number => 0.8 + length * 0.11;
const accent = 0.6;
/** Lists of paths are much of what tools answer: there it goes along with the word behind it. */
const slash = 0.3;
const runOf = (text: string, kind: number, from: number, at: number): number =>
  at - from === 1 && text.charCodeAt(from) === 47 && kindAt(text, at) === lower
    ? slash
    : (cost[kind]?.(at - from) ?? 0);
const wordOf = (length: number): number =>
  length <= 4 ? 1.09 : length <= 7 ? 1.02 : length <= 10 ? 0.9 : length * 0.2 - 1.1 + (length > 16 ? length * 0.15 : 0);

/** What a run of one kind costs, by its length. */
const cost: Readonly<Record<number, (length: number) => number>> = {
  [lower]: wordOf,
  [upper]: capitals,
  [digit]: (length) => 1.38 * Math.ceil(length / 3),
  // One goes along with the word behind it.
  [space]: (length) => (length === 1 ? 0 : 0.63 + length / 80),
  [newline]: (length) => 0.1 + length / 40,
  [sign]: (length) => 0.91 + (length - 1) * 0.08,
  [han]: (length) => length * 0.82,
  [kana]: (length) => length * 0.59,
  [hangul]: (length) => length * 0.64,
  [alphabet]: (length) => length * 0.3,
  [script]: (length) => length * 0.55,
  [mark]: (length) => length * 0.95,
  [box]: (length) => 0.9 + length * 0.36,
  [emoji]: (length) => length * 1.15,
};

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 128) return ascii[code] as number;
  for (const [below, kind] of ranges) if (code < below) return kind;
  return mark;
}

const ascii = new Uint8Array(128).fill(sign);
ascii.fill(lower, 97, 123).fill(upper, 65, 91).fill(digit, 48, 58).fill(space, 9, 14).fill(space, 32, 33);
ascii[10] = ascii[13] = newline;

/** The first range that ends above a code. */
const ranges: readonly (readonly [below: number, kind: number])[] = [
  [0xc0, mark],
  [0x370, lower],
  [0x530, alphabet],
  [0x2000, script],
  [0x2190, mark],
  [0x2500, emoji],
  [0x25a0, box],
  [0x2e80, emoji],
  [0x3040, mark],
  [0x3100, kana],
  [0x3400, mark],
  [0xa000, han],
  [0xac00, script],
  [0xd7b0, hangul],
  [0xe000, emoji],
  [0xf900, mark],
  [0xfb00, han],
];
