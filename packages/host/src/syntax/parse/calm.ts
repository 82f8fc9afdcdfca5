// A parser recovers from errors, and on text that is nothing but errors that takes it minutes, or exhausts its stack.
// No code looks like that; what does is not parsed.

const maxNesting = 400;
/** So little text takes no time whatever it is. */
const harmless = 4096;

/**
 * Whether a text may go to a parser: it has words, most of what it opens with `<` is closed, and it is nested no
 * deeper than code is.
 */
export function isCalm(text: string): boolean {
  let [depth, words, tags] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? kinds[code] : word;
    if (kind === word) words++;
    else if (kind === opens) {
      if (++depth > maxNesting) return false;
    } else if (kind === closes) depth = depth > 0 ? depth - 1 : 0;
    else if (code === 60) tags++;
    else if (code === 62) tags--;
  }
  return text.length < harmless || (words * 100 >= text.length * 26 && tags * 100 <= text.length * 15);
}

/**
 * Whether so much work was done since: a machine that is busy with other things takes longer, and the text cannot help
 * that.
 */
export function worked(
  ms: number,
  now = () => performance.now(),
  busy = () => process.cpuUsage().user / 1000,
): () => boolean {
  const [began, before] = [now(), busy()];
  return () => now() - began > ms && busy() - before > ms;
}

const [word, opens, closes] = [1, 2, 3];

/**
 * Of each ASCII character: letters, digits and blanks are words, as everything beyond ASCII is; brackets open and
 * close.
 */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[\w\s]/.test(sign) || code < 32) return word;
  if ("([{".includes(sign)) return opens;
  return ")]}".includes(sign) ? closes : 0;
});
