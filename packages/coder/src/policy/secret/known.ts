import type { Hit } from "./scan.ts";

/**
 * Values that are known to be secret, found wherever they stand. One walk over a text finds all of them: the last four
 * signs are looked up in a table of how values begin, and only where that says yes is anything compared.
 */
export class Known {
  readonly #byBegin = new Map<number, string[]>();
  readonly #begins = new Uint8Array(1 << 13);
  readonly #all = new Set<string>();
  #longest = 0;

  get size(): number {
    return this.#all.size;
  }
  /** Signs of the longest value. */
  get longest(): number {
    return this.#longest;
  }

  /** Short values would be found in what only looks like them. */
  add(value: string): void {
    if (value.length < shortest || this.#all.has(value)) return;
    this.#all.add(value);
    this.#longest = Math.max(this.#longest, value.length);
    let begin = 0;
    for (let at = 0; at < 4; at++) begin = (begin << 8) | (value.charCodeAt(at) & 255);
    this.#begins[slot(begin)] = 1;
    // The longest first: one may begin as another does.
    const others = [...(this.#byBegin.get(begin) ?? []), value].sort((a, b) => b.length - a.length);
    this.#byBegin.set(begin, others);
  }

  find(text: string): Hit[] {
    const hits: Hit[] = [];
    if (this.#all.size === 0) return hits;
    const begins = this.#begins;
    let begin = 0;
    let done = 0;
    for (let at = 0; at < text.length; at++) {
      begin = (begin << 8) | (text.charCodeAt(at) & 255);
      if (begins[slot(begin)] !== 1 || at - 3 < done) continue;
      const value = this.#byBegin.get(begin)?.find((one) => text.startsWith(one, at - 3));
      if (value === undefined) continue;
      done = at - 3 + value.length;
      hits.push({ start: at - 3, end: done });
    }
    return hits;
  }
}

const shortest = 8;
const slot = (begin: number): number => Math.imul(begin, 0x9e3779b1) >>> 19;
