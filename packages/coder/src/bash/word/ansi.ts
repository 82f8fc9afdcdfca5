/**
 * What `$'…'` stands for. Undefined where that is no text, or depends on the locale: a program may then get bytes that
 * nobody sees here.
 */
export function decodeAnsi(inner: string): string | undefined {
  const bytes: number[] = [];
  let plain = 0;
  const upTo = (end: number, start = plain) => {
    for (const byte of encoder.encode(inner.slice(start, end))) bytes.push(byte);
  };
  if (!inner.includes("\\")) return inner;
  escapes.lastIndex = 0;
  for (let match = escapes.exec(inner); match; match = escapes.exec(inner)) {
    upTo(match.index);
    plain = escapes.lastIndex;
    const value = byteOf(match.groups ?? {});
    if (value === undefined) return undefined;
    // The text ends there, whatever follows.
    if (value === 0) {
      plain = inner.length;
      break;
    }
    if (value === "itself") upTo(plain, match.index);
    else bytes.push(value);
  }
  upTo(inner.length);
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

/** What a backslash and what follows stand for; undefined where versions or locales differ. */
function byteOf({
  letter,
  octal,
  hex,
  braced,
  control,
  unicode,
}: Record<string, string>): number | "itself" | undefined {
  if (control !== undefined) return control === "?" ? 127 : control.charCodeAt(0) & 31;
  const number = octal ?? hex ?? braced ?? unicode;
  if (number === undefined) return letters[letter ?? ""] ?? (/[xcuU]/.test(letter ?? "x") ? undefined : "itself");
  const value = Number.parseInt(number, octal === undefined ? 16 : 8);
  return unicode !== undefined && value > 127 ? undefined : value & 255;
}

const escapes =
  /\\(?:(?<octal>[0-7]{1,3})|x(?<hex>[0-9a-fA-F]{1,2})|x\{(?<braced>[0-9a-fA-F]{1,2})\}|c(?<control>[!-[\]-~])|u(?<unicode>[0-9a-fA-F]{1,4})|(?<letter>[\s\S]))/g;

const letters: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  e: 27,
  E: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  "\\": 92,
  "'": 39,
  '"': 34,
  "?": 63,
};

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
