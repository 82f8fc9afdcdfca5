/** Milliseconds for which a question takes no key after it has come, and after each key. */
const guardMs = 400;

/** Keeps keys that are typed ahead from answering a question that has just come up. */
export class Guard {
  readonly #now: () => number;
  #pressed = Number.NEGATIVE_INFINITY;
  #stood: { id: string; since: number } | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Sets the question that is open; undefined when there is none. */
  stands(id: string | undefined): void {
    if (id === undefined) this.#stood = undefined;
    else if (this.#stood?.id !== id) this.#stood = { id, since: this.#now() };
  }

  /** Notes a key that is no answer. */
  pressed(): void {
    this.#pressed = this.#now();
  }

  /** True while a person types something else. */
  get typing(): boolean {
    return this.#now() - this.#pressed < guardMs;
  }

  /** True once the question has stood long enough to be read, whatever is typed. */
  get seen(): boolean {
    return this.#stood !== undefined && this.#now() - this.#stood.since >= guardMs;
  }

  /** Milliseconds until an answer is taken; 0 when it is now. */
  get left(): number {
    if (!this.#stood) return guardMs;
    return Math.max(0, Math.max(this.#stood.since, this.#pressed) + guardMs - this.#now());
  }
}
