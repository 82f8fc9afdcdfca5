/**
 * Finds many words in a text that arrives in pieces, ignoring case. Takes one step per character, whatever the number
 * of words (Aho-Corasick).
 */
export class Prefilter {
  /** The class of each ASCII letter; class 0 holds all letters that no word has. */
  readonly #near = new Uint16Array(128);
  readonly #far = new Map<number, number>();
  #classes = 1;
  readonly #next: Int32Array;
  /** The words that end in a state. */
  readonly #ends: readonly (readonly number[] | undefined)[];

  /** Takes the words in small letters; `run` tells them by their index. */
  constructor(words: readonly string[]) {
    for (const word of words) for (let at = 0; at < word.length; at++) this.#learn(word.charCodeAt(at));
    for (let code = 65; code <= 90; code++) this.#near[code] = this.#near[code + 32] as number;
    // The Kelvin sign and the long s are k and s, too.
    this.#far.set(0x212a, this.#near[107] as number);
    this.#far.set(0x17f, this.#near[115] as number);
    const states = 1 + words.reduce((sum, { length }) => sum + length, 0);
    this.#next = new Int32Array(states * this.#classes);
    this.#ends = this.#build(words, states);
  }

  /** Reads a text from a state and returns the next; calls `found` for each word that ends in the text. */
  run(state: number, text: string, found: (word: number, at: number) => void): number {
    const [next, classes, near] = [this.#next, this.#classes, this.#near];
    let now = state;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const kind = code < 128 ? (near[code] as number) : (this.#far.get(code) ?? 0);
      now = next[now * classes + kind] as number;
      const ends = this.#ends[now];
      if (ends) for (const word of ends) found(word, at);
    }
    return now;
  }

  #learn(code: number): void {
    if (code >= 128) {
      if (!this.#far.has(code)) this.#far.set(code, this.#classes++);
    } else if (this.#near[code] === 0) this.#near[code] = this.#classes++;
  }

  #kind = (code: number): number => (code < 128 ? (this.#near[code] as number) : (this.#far.get(code) ?? 0));

  #build(words: readonly string[], states: number): (readonly number[] | undefined)[] {
    const [next, classes] = [this.#next, this.#classes];
    const ends: (number[] | undefined)[] = new Array(states);
    let count = 1;
    for (const [number, word] of words.entries()) {
      let at = 0;
      for (let i = 0; i < word.length; i++) {
        const place = at * classes + this.#kind(word.charCodeAt(i));
        if (next[place] === 0) next[place] = count++;
        at = next[place] as number;
      }
      ends[at] = [...(ends[at] ?? []), number];
    }
    // Where no word goes on, the longest end of the text that begins a word does.
    const back = new Int32Array(count);
    const queue: number[] = [];
    for (let kind = 0; kind < classes; kind++) if (next[kind]) queue.push(next[kind] as number);
    for (const at of queue)
      for (let kind = 0; kind < classes; kind++) {
        const place = at * classes + kind;
        const other = next[(back[at] as number) * classes + kind] as number;
        const to = next[place] as number;
        if (to === 0) {
          next[place] = other;
          continue;
        }
        back[to] = other;
        const more = ends[other];
        if (more) ends[to] = [...(ends[to] ?? []), ...more];
        queue.push(to);
      }
    return ends;
  }
}
