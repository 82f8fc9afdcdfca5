import type { StreamEvent } from "../message/stream.ts";

/** More often than this nobody has to hear of words. */
const everyMs = 32;
/** What follows mostly comes in time to take along what is held; else it is told after this long. */
const patienceMs = 48;

/**
 * Holds words that follow each other fast, so that whoever hears of them has less to do; the first ones, and all that
 * is no piece of a longer text, are told at once.
 */
export class EventBatcher {
  #held: StreamEvent[] = [];
  #told = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due: (() => void) | undefined;

  add(events: readonly StreamEvent[]): void {
    let last = this.#held.at(-1);
    for (const event of events) {
      if (isWords(event) && last?.type === event.type && last.index === event.index) last.delta += event.delta;
      else {
        last = event;
        this.#held.push(event);
      }
    }
  }

  /** What has to be told now, if anything; `all` that is held, where something ends. */
  take(all: boolean): readonly StreamEvent[] | undefined {
    if (this.#held.length === 0) return undefined;
    const now = performance.now();
    if (!all && now - this.#told < everyMs && this.#held.every(isPiece)) return undefined;
    this.#told = now;
    this.end();
    const held = this.#held;
    this.#held = [];
    return held;
  }

  /** Waits for more, no longer than what is held may wait. */
  more<T>(reading: Promise<T> | undefined): Promise<T | "due"> | undefined {
    if (this.#held.length === 0 || !reading) return reading;
    return new Promise((done, failed) => {
      this.#due = () => done("due");
      this.#timer ??= setTimeout(() => this.#due?.(), Math.max(0, this.#told + patienceMs - performance.now()));
      reading.then(done, failed);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

type Words = Extract<StreamEvent, { type: "text" | "thinking" }>;

/** Words that came together are one event: whoever hears of them has work for each. */
const isWords = (event: StreamEvent): event is Words => event.type === "text" || event.type === "thinking";

const isPiece = (event: StreamEvent): boolean => isWords(event) || event.type === "args";
