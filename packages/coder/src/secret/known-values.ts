import type { SecretSpan } from "./scan.ts";

/** A value, and where in it two signs stand. */
interface Candidate {
  value: string;
  at: number;
}

/** Short values would be found in what only looks like them. */
const shortest = 8;
/** Wherever a value begins, one of this many places stands in its first eight signs. */
const stride = shortest - 1;

/**
 * Values that are known to be secret, found wherever they stand. All of them are looked for at once, at every seventh
 * place of a text: the two signs there are looked up in a table of those that values begin with, and only where that
 * says yes is anything compared.
 */
export class KnownValues {
  readonly #pairs = new Uint8Array(1 << 16);
  readonly #candidates = new Map<number, Candidate[]>();
  readonly #all = new Set<string>();
  #longest = 0;
  #words: "one" | "several" = "one";

  /** Signs of the longest value. */
  get maxLength(): number {
    return this.#longest;
  }

  /** True when each of them is one word; else the signs that can stand in several. */
  get words(): "one" | "several" {
    return this.#words;
  }

  add(value: string): void {
    if (/[^\x21-\x7e]/.test(value)) this.#words = "several";
    if (value.length < shortest || this.#all.has(value)) return;
    this.#all.add(value);
    this.#longest = Math.max(this.#longest, value.length);
    for (let at = 0; at < stride; at++) {
      const pair = pairAt(value, at);
      this.#pairs[pair] = 1;
      const others = [...(this.#candidates.get(pair) ?? []), { value, at }];
      // The first to begin, and of those the longest: one may begin as another does.
      this.#candidates.set(
        pair,
        others.sort((a, b) => b.at - a.at || b.value.length - a.value.length),
      );
    }
  }

  find(text: string): SecretSpan[] {
    const hits: SecretSpan[] = [];
    if (this.#all.size === 0) return hits;
    const pairs = this.#pairs;
    let done = 0;
    for (let at = 0; at + 1 < text.length; at += stride) {
      const pair = pairAt(text, at);
      if (pairs[pair] !== 1) continue;
      const found = this.#candidates
        .get(pair)
        ?.find((one) => at - one.at >= done && text.startsWith(one.value, at - one.at));
      if (!found) continue;
      const start = at - found.at;
      done = start + found.value.length;
      hits.push({ start, end: done });
      at = done - stride;
    }
    return hits;
  }
}

const pairAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) & 255) << 8) | (text.charCodeAt(at + 1) & 255);
