/** Limits how many tasks run at a time; the others wait in their order. */
export class TaskLimit {
  readonly #most: () => number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: () => number) {
    this.#most = most;
  }

  get running(): number {
    return this.#running;
  }

  /** Runs the work when it is its turn; undefined if the signal ends the wait. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
    while (this.#running >= this.#most() && !signal.aborted) await this.#turn(signal);
    if (signal.aborted) {
      this.#waiting.shift()?.();
      return undefined;
    }
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
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
