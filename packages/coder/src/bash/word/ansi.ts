/** Gives the text that `$'…'` stands for; undefined where that depends on the locale, or is no text. */
export function decodeAnsi(inner: string): string | undefined {
  let isKnown = true;
  const text = inner.replace(escapes, (_, octal?: string, hex?: string, letter = "") => {
    const code = octal ? Number.parseInt(octal, 8) & 255 : hex ? Number.parseInt(hex, 16) : 0;
    const sign = code > 0 && code < 128 ? String.fromCharCode(code) : signs.get(letter);
    isKnown &&= sign !== undefined;
    return sign ?? "";
  });
  return isKnown ? text : undefined;
}

const escapes = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([\s\S]))/g;

const signs = new Map(
  Object.entries({ a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }).concat(
    ["\\", "'", '"', "?"].map((sign) => [sign, sign]),
  ),
);
