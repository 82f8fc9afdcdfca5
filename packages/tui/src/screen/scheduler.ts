export interface Timers {
  now(): number;
  /** Calls back once after `ms`; the returned function cancels it. */
  after(ms: number, call: () => void): () => void;
  /** Calls back once, after the work that has already begun; without it, callers run at once. */
  next?(call: () => void): void;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
  next: (call) => void setImmediate(call),
};

const interval = 50;

/** Paints requested frames together, at most every 50 ms, and answers to keys at once; idle while nothing changes. */
export class FrameScheduler {
  readonly #timers: Timers;
  readonly #paint: () => void;
  #last = Number.NEGATIVE_INFINITY;
  #planned: { due: number; cancel: () => void } | undefined;
  #answering = false;

  constructor(timers: Timers, paint: () => void) {
    this.#timers = timers;
    this.#paint = paint;
  }

  request(): void {
    this.#plan(Math.max(0, this.#last + interval - this.#timers.now()));
  }

  /** Paints after pending input had its turn. */
  soon(): void {
    this.#plan(0);
  }

  now(): void {
    this.stop();
    this.#last = this.#timers.now();
    this.#paint();
  }

  /** Paints in answer to a key, after the work that the key has begun, such as a request to a model. */
  answer() {
    if (!this.#timers.next) return this.now();
    if (!this.#answering) this.#timers.next(() => this.#answering && this.now());
    this.#answering = true;
  }

  stop(): void {
    this.#planned?.cancel();
    this.#planned = undefined;
    this.#answering = false;
  }

  #plan(ms: number): void {
    const due = this.#timers.now() + ms;
    if (this.#planned && this.#planned.due <= due) return;
    this.#planned?.cancel();
    this.#planned = { due, cancel: this.#timers.after(ms, () => this.now()) };
  }
}
