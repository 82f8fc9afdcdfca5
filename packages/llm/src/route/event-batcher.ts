import type { StreamEvent } from "../message/stream.ts";

/** Shortest time between two batches of text: a screen paints about as often. */
const everyMs = 66;
/** Longest time that text is held when nothing follows. */
const patienceMs = 82;
/** Reads of a few bytes after which an answer counts as long, and how few these are. */
const manyReads = 64;
const fewBytes = 1024;

/**
 * Batches fast text, so that listeners have less work. The first text, and everything that is not a piece of a longer
 * text, is passed on at once.
 */
export class EventBatcher {
  #held: StreamEvent[] = [];
  #sent = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #due: (() => void) | undefined;
  #reads = 0;

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

  /** The events to pass on now, if any; `all` of them when the stream ends. */
  take(all: boolean): readonly StreamEvent[] | undefined {
    if (this.#held.length === 0) return undefined;
    const now = performance.now();
    if (!all && now - this.#sent < everyMs && this.#held.every(isPiece)) return undefined;
    this.#sent = now;
    this.end();
    const held = this.#held;
    this.#held = [];
    return held;
  }

  /**
   * Milliseconds to wait before the next read, after one that brought so many bytes. A long answer that comes word by
   * word is read once per batch: each read costs more than its words.
   */
  pause(bytes: number): number {
    this.#reads = bytes < fewBytes ? this.#reads + 1 : 0;
    return this.#reads < manyReads ? 0 : Math.max(0, this.#sent + everyMs - performance.now());
  }

  /** Waits for more data, at most as long as the held events may wait. */
  more<T>(reading: Promise<T> | undefined): Promise<T | "due"> | undefined {
    if (this.#held.length === 0 || !reading) return reading;
    return new Promise((done, failed) => {
      this.#due = () => done("due");
      this.#timer ??= setTimeout(() => this.#due?.(), Math.max(0, this.#sent + patienceMs - performance.now()));
      reading.then(done, failed);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

type Words = Extract<StreamEvent, { type: "text" | "thinking" }>;

/** Text of one block is merged into one event, since listeners have work for each. */
const isWords = (event: StreamEvent): event is Words => event.type === "text" || event.type === "thinking";

const isPiece = (event: StreamEvent): boolean => isWords(event) || event.type === "args";
