/** The characters that mean something, by their codes. */
export const char = {
  tab: 9,
  newline: 10,
  space: 32,
  bang: 33,
  double: 34,
  hash: 35,
  dollar: 36,
  and: 38,
  single: 39,
  minus: 45,
  open: 40,
  close: 41,
  semicolon: 59,
  less: 60,
  equals: 61,
  more: 62,
  bracketOpen: 91,
  backslash: 92,
  bracketClose: 93,
  back: 96,
  braceOpen: 123,
  pipe: 124,
  braceClose: 125,
} as const;

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;

export const isNameStart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;

export const isName = (code: number): boolean => isNameStart(code) || isDigit(code);

/** True for a sign that ends a word. A carriage return does not, whatever it looks like. */
export const endsWord = (code: number): boolean =>
  code === char.space ||
  code === char.newline ||
  code === char.tab ||
  code === char.semicolon ||
  code === char.and ||
  code === char.pipe ||
  code === char.open ||
  code === char.close ||
  code === char.less ||
  code === char.more ||
  code === -1;
