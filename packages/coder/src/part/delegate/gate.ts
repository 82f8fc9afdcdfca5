/** Lets a few through at a time; the others wait in their order. */
export class Gate {
  readonly #most: () => number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(most: () => number) {
    this.#most = most;
  }

  get inside(): number {
    return this.#inside;
  }

  /** Runs the work when there is room; undefined where the wait was ended before. */
  async through<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    while (this.#inside >= this.#most() && !signal.aborted) await this.#turn(signal);
    if (signal.aborted) {
      this.#waiting.shift()?.();
      return undefined;
    }
    this.#inside++;
    try {
      return await work();
    } finally {
      this.#inside--;
      this.#waiting.shift()?.();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push(done);
      signal.addEventListener("abort", () => done(), { once: true });
    });
  }
}
