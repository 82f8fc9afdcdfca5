/** A regular expression as a model writes it, made one that compiles: braces that count nothing stand for themselves. */
export function repairBraces(pattern: string): string {
  let fixed = "";
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern.charAt(at);
    if (sign === "\\") {
      // `\p{L}`, `\x{41}` and the like own their braces.
      const whole = /^\\(?:[pPxuUbBk]\{[^}]*\}|.)/s.exec(pattern.slice(at))?.[0] ?? sign;
      fixed += whole;
      at += whole.length - 1;
    } else if (sign === "[") {
      const whole = /^\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]/s.exec(pattern.slice(at))?.[0] ?? sign;
      fixed += whole;
      at += whole.length - 1;
    } else if (sign === "{") {
      const count = /^\{\d+(?:,\d*)?\}|^\{,\d+\}/.exec(pattern.slice(at))?.[0];
      const counts = count !== undefined && fixed !== "" && !/(?:^|[^\\])[(|]$/.test(fixed);
      fixed += counts ? count : "\\{";
      if (counts) at += count.length - 1;
    } else fixed += sign === "}" ? "\\}" : sign;
  }
  return fixed;
}

/** The same with every parenthesis standing for itself: what is left to try when they do not match up. */
export const escapeParentheses = (pattern: string): string => pattern.replace(/\\.|[()]/gs, (sign) => (sign === "(" || sign === ")" ? `\\${sign}` : sign));

/** Whether a complaint is about parentheses that do not match up. */
export const isUnbalanced = (complaint: string): boolean =>
  /unclosed group|unopened group|missing closing parenthesis|unmatched closing parenthesis/i.test(complaint);
