/** A question takes no key before it has stood this long, and this long after the last key. */
const guardMs = 400;

/** Keeps what is typed ahead from answering: somebody who types does not mean the question that has just come up. */
export class Guard {
  readonly #now: () => number;
  #pressed = Number.NEGATIVE_INFINITY;
  #stood: { id: string; since: number } | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** This question stands now; undefined when none does. */
  stands(id: string | undefined): void {
    if (id === undefined) this.#stood = undefined;
    else if (this.#stood?.id !== id) this.#stood = { id, since: this.#now() };
  }

  /** A key that is no answer. */
  pressed(): void {
    this.#pressed = this.#now();
  }

  /** How long no answer is taken yet; 0 when one is. */
  get left(): number {
    if (!this.#stood) return guardMs;
    return Math.max(0, Math.max(this.#stood.since, this.#pressed) + guardMs - this.#now());
  }
}
