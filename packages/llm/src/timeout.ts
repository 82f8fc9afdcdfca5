import { raceEnd } from "@pith/kit";
import type { Failure, Stream, StreamEvent } from "./message/stream.ts";

/** Longest silences of a stream; zero is unlimited. Only events count, not keep-alives. */
export interface StreamTimeouts {
  firstEventMs: number;
  idleMs: number;
}

export const usualTimeouts: StreamTimeouts = { firstEventMs: 120_000, idleMs: 120_000 };
/** A local model may read a long prompt for minutes. */
export const localTimeouts: StreamTimeouts = { ...usualTimeouts, firstEventMs: 600_000 };

/** Makes a stream end: after too long a silence it fails with `timeout`, even if the stream ignores its signal. */
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
      // Not awaited: the stream may never end.
      void events.return?.().then(undefined, () => {});
    }
  };
}

/** Uses a single timer for the whole stream: an event only moves a mark, which the timer checks when it fires. */
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
