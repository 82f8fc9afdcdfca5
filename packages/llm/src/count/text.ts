/**
 * Estimates the tokens of a text. Vocabularies differ but split text alike: at words, digits, signs and spaces. Each
 * run is counted at its average cost in today's vocabularies; `Calibrations` learns the model's own ratio. One pass, no
 * tables to load.
 */
export function countText(text: string): number {
  let tokens = 0;
  let kind = -1;
  let from = 0;
  let capital = false;
  // Mostly runs before the runtime has compiled it, so each letter is looked at once and few functions are called.
  for (let at = 0; at <= text.length; at++) {
    const code = text.charCodeAt(at);
    const next = code < 128 ? ascii[code] : kindOf(code);
    if (next !== kind) {
      // The last capital begins the next word: `HTMLElement`, `readFile`.
      capital = kind === upper && next === lower;
      const end = capital ? at - 1 : at;
      const isPath = kind === sign && next === lower && text.charCodeAt(from) === 47;
      tokens += runOf(kind, end - from, isPath);
      from = end;
      kind = next ?? -1;
    }
    if (code > 127 && next === lower && !capital) tokens += accent;
  }
  return tokens;
}

const [lower, upper, digit, space, newline, sign, han, kana, hangul, alphabet, script, mark, box, emoji] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
] as const;

const capitals = (length: number): number => 0.8 + length * 0.11;
const accent = 0.6;
/** A slash in a path mostly joins the next word, and tool output is full of paths. */
const slash = 0.3;
const runOf = (kind: number, length: number, isPath: boolean): number => {
  if (length === 1) return isPath ? slash : (single[kind] ?? 0);
  return length > 0 ? (cost[kind]?.(length) ?? 0) : 0;
};
const wordOf = (length: number): number =>
  length <= 4 ? 1.09 : length <= 7 ? 1.02 : length <= 10 ? 0.9 : length * 0.2 - 1.1 + (length > 16 ? length * 0.15 : 0);

/** Cost of a run of one kind by its length. */
const cost: Readonly<Record<number, (length: number) => number>> = {
  [lower]: wordOf,
  [upper]: capitals,
  [digit]: (length) => 1.38 * Math.ceil(length / 3),
  // A single space is part of the next word.
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

/** Cost of a single sign, which most runs are. */
const single = Object.values(cost).map((of) => of(1));

/** The kind of a non-ASCII code; -1 behind the end of the text. */
function kindOf(code: number): number {
  for (const [below, kind] of ranges) if (code < below) return kind;
  return code > 0 ? mark : -1;
}

const ascii = new Uint8Array(128).fill(sign);
ascii.fill(lower, 97, 123).fill(upper, 65, 91).fill(digit, 48, 58).fill(space, 9, 14).fill(space, 32, 33);
ascii[10] = ascii[13] = newline;

/** Kinds by range; the first range that ends above a code counts. */
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
