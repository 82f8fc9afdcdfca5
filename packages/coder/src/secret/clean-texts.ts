/** Shorter texts are looked at again sooner than they are found here. */
const shortest = 256;
const mostSigns = 1 << 19;

/**
 * Texts that hold no key: one passes the model, the record, the snapshot and the request within a moment, and is looked
 * at once. What becomes known later makes them all unknown.
 */
export class CleanTexts {
  readonly #texts = new Set<string>();
  #signs = 0;

  has(text: string): boolean {
    return text.length >= shortest && this.#texts.has(text);
  }

  add(text: string): void {
    if (text.length < shortest || text.length > mostSigns / 4) return;
    this.#signs += text.length;
    if (this.#signs > mostSigns) this.forget();
    this.#texts.add(text);
  }

  forget(): void {
    this.#texts.clear();
    this.#signs = 0;
  }
}
