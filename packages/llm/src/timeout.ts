import { raceEnd } from "@pith/kit";
import type { Failure, Stream, StreamEvent } from "./message/stream.ts";

/**
 * How long a stream may say nothing; zero is for ever. Only events count: a server that sends keep-alives is silent
 * all the same.
 */
export interface StreamTimeouts {
  firstEventMs: number;
  idleMs: number;
}

export const usualTimeouts: StreamTimeouts = { firstEventMs: 120_000, idleMs: 120_000 };
/** A model on this machine may read a long prompt for minutes before it says a word. */
export const localTimeouts: StreamTimeouts = { ...usualTimeouts, firstEventMs: 600_000 };

/**
 * A stream that always ends: one that falls silent fails with `timeout`, whatever the stream below it does about its
 * signal.
 */
export function withTimeouts(stream: Stream, limits: StreamTimeouts): Stream {
  return async function* (request, signal) {
    const silence = new AbortController();
    const watch = new Watch(limits, () => silence.abort());
    const events = stream(request, AbortSignal.any([signal, silence.signal]))[Symbol.asyncIterator]();
    const orOver = raceEnd(watch.over);
    try {
      for (;;) {
        const next = await orOver(events.next());
        if (watch.fired && !signal.aborted) return yield [watch.failure()];
        if (next === undefined || next.done) return;
        watch.heard();
        yield next.value;
      }
    } finally {
      watch.stop();
      // Not waited for: a stream that does not end is what this is about.
      void events.return?.().then(undefined, () => {});
    }
  };
}

/** One timer for the whole stream: what is heard only moves a mark, and the timer looks at it when it rings. */
class Watch {
  readonly over: Promise<undefined>;
  fired = false;
  readonly #limits: StreamTimeouts;
  readonly #fire: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #mark = performance.now();
  #begun = false;

  constructor(limits: StreamTimeouts, onFire: () => void) {
    this.#limits = limits;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.over = promise;
    this.#fire = () => {
      this.fired = true;
      onFire();
      resolve(undefined);
    };
    this.#arm(this.#limit());
  }

  heard(): void {
    this.#mark = performance.now();
    if (this.#begun) return;
    this.#begun = true;
    clearTimeout(this.#timer);
    this.#arm(this.#limit());
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  failure(): StreamEvent {
    const seconds = Math.round(this.#limit() / 100) / 10;
    const message = this.#begun
      ? `the model said nothing more for ${seconds} s`
      : `the model said nothing for ${seconds} s`;
    const failure: Failure = { kind: "timeout", message };
    return { type: "fail", failure };
  }

  #limit(): number {
    return this.#begun ? this.#limits.idleMs : this.#limits.firstEventMs;
  }

  #arm(ms: number): void {
    if (ms > 0) this.#timer = setTimeout(() => this.#look(), ms);
  }

  #look(): void {
    const left = this.#mark + this.#limit() - performance.now();
    if (left > 1) this.#arm(left);
    else this.#fire();
  }
}
