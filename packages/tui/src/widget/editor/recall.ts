/** Texts that were sent before, reached with the up key; the unsent draft waits at the end. */
export class Recall {
  readonly #entries: string[] = [];
  /** The entry that is shown; undefined while the draft is. */
  #at: number | undefined;
  #draft = "";

  add(text: string): void {
    this.#at = undefined;
    if (text.trim() !== "" && this.#entries.at(-1) !== text) this.#entries.push(text);
  }

  /** Adds texts of earlier runs, the oldest first. */
  prepend(entries: readonly string[]): void {
    if (this.#at !== undefined) this.#at += entries.length;
    this.#entries.unshift(...entries);
  }

  older(draft: string): string | undefined {
    if (this.#at === undefined) this.#draft = draft;
    const next = (this.#at ?? this.#entries.length) - 1;
    if (next >= 0) this.#at = next;
    return this.#entries[next];
  }

  newer(): string | undefined {
    if (this.#at === undefined) return undefined;
    if (++this.#at < this.#entries.length) return this.#entries[this.#at];
    this.#at = undefined;
    return this.#draft;
  }

  /** Ends the walk through the entries. */
  leave(): void {
    this.#at = undefined;
  }
}
