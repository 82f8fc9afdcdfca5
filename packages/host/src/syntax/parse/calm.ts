// A parser recovers from errors, and on text that is nothing but errors that takes it minutes, or exhausts its stack.
// No code looks like that; what does is not parsed.

const maxNesting = 400;
/** Each sign in `a + b + c` is one level of the tree, and a look at all levels reads the whole chain in each. */
const maxChain = 5000;
/** Less text takes no time whatever it is. */
const harmless = 4096;

/**
 * True for a text that may go to a parser: it has words, most of its `<` are closed, and it is nested no deeper and
 * chained no longer than code is. A comma or semicolon breaks a chain off, brackets hold chains of their own.
 */
export function isCalm(text: string): boolean {
  const end = text.length;
  let [depth, signs, tags, chain, longest] = [0, 0, 0, 0, 0];
  const outer: number[] = [];
  for (let i = 0; i < end && depth <= maxNesting; i++) {
    const code = text.charCodeAt(i);
    const kind = code < 128 ? kinds[code] : word;
    if (kind === word) continue;
    signs++;
    if (kind === links) {
      longest = Math.max(longest, ++chain);
      tags += tagged[code] ?? 0;
    } else if (kind === ends) chain = 0;
    else if (kind === opens) {
      outer[depth++] = chain;
      chain = 0;
    } else if (kind === closes && depth > 0) chain = outer[--depth] ?? 0;
  }
  if (depth > maxNesting) return false;
  return end < harmless || ((end - signs) * 100 >= end * 26 && tags * 100 <= end * 15 && longest <= maxChain);
}

/**
 * Tells whether this many milliseconds of work were done since. Time alone would not do: a machine may be busy with
 * other things.
 */
export function worked(
  ms: number,
  now = () => performance.now(),
  busy = () => process.cpuUsage().user / 1000,
): () => boolean {
  const [began, before] = [now(), busy()];
  return () => now() - began > ms && busy() - before > ms;
}

const [word, opens, closes, links, ends] = [1, 2, 3, 4, 5];

/**
 * The kind of each ASCII character: letters, digits and blanks are words, as everything beyond ASCII is; brackets open
 * and close; the signs of operators link the words around them, until a comma or semicolon ends that.
 */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/[\w\s]/.test(sign) || code < 32) return word;
  if ("([{".includes(sign)) return opens;
  if (")]}".includes(sign)) return closes;
  if ("+-*/%&|^=?.<>".includes(sign)) return links;
  return ",;".includes(sign) ? ends : 0;
});

const tagged = Int8Array.from({ length: 128 }, (_, code) => (code === 60 ? 1 : code === 62 ? -1 : 0));
