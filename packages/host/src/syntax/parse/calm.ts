// A parser recovers from errors, and on text that is nothing but errors that takes it minutes, or exhausts its stack. No code looks
// like that; what does is not parsed.

const maxNesting = 400;
/** So little text takes no time whatever it is. */
const harmless = 4096;

/** Whether a text may go to a parser: it has words, most of what it opens with `<` is closed, and it is nested no deeper than code is. */
export function isCalm(text: string): boolean {
  if (!isShallow(text)) return false;
  if (text.length < harmless) return true;
  let words = 0;
  let tags = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 60) tags++;
    else if (code === 62) tags--;
    else if (isWord(code)) words++;
  }
  return words * 100 >= text.length * 26 && tags * 100 <= text.length * 15;
}

function isShallow(text: string): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 40 || code === 91 || code === 123) {
      if (++depth > maxNesting) return false;
    } else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth--;
  }
  return true;
}

/** Letters, digits, blanks, and everything beyond ASCII. */
const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code <= 32 || code === 95 || code > 127;
