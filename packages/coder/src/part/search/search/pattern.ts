/**
 * Mends a regular expression of a model, so that it compiles and means what it looks like: braces that count nothing
 * stand for themselves, `${` is a dollar and not the end of a line, and `\n` matches any line end of a file.
 */
export const repairPattern = (pattern: string): string =>
  pattern.replace(piece, (whole, at: number) => {
    const before = pattern.slice(0, at);
    if (/^\{.*\d.*\}$/.test(whole) && (before === "" || /(?:^|[^\\])[(|]$/.test(before)))
      return whole.replace(/[{}]/g, "\\$&");
    if (/^(?:\\n|\n)$/.test(whole)) return /(?:\r|\\r)\??$/.test(before) ? whole : "(?:\\r?\\n)";
    return literal[whole] ?? whole;
  });

/** An escape (`\p{L}`, `\x{41}` and the like own their braces), a class, a count, or a sign. */
const piece = /\\(?:[pPxuUbBk]\{[^}]*\}|.)|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\$\{|\{\d+(?:,\d*)?\}|\{,\d+\}|./gs;

const literal: Record<string, string> = { "{": "\\{", "}": "\\}", "${": "\\$\\{", "\0": "\\x00" };

/** The pattern with every parenthesis standing for itself, to be tried when they do not match up. */
export const escapeParentheses = (pattern: string): string =>
  pattern.replace(/\\.|[()]/gs, (sign) => (sign === "(" || sign === ")" ? `\\${sign}` : sign));

/** True for a complaint about parentheses that do not match up. */
export const isUnbalanced = (complaint: string): boolean =>
  /unclosed group|unopened group|missing closing parenthesis|unmatched closing parenthesis/i.test(complaint);

/** True for a pattern that ends in an escape: ripgrep would complain about a group that it has put around it. */
export const isCutOff = (pattern: string): boolean => /(?:^|[^\\])(?:\\\\)*\\$/.test(pattern);
