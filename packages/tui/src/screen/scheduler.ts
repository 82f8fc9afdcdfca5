export interface Timers {
  now(): number;
  /** Calls back once after `ms`; the answer cancels it. */
  after(ms: number, call: () => void): () => void;
  /** Calls back once, when what has begun has had its turn; without it, at once. */
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

/**
 * When frames happen: ordinary ones together and at most every 50 ms, answers to keys at once, nothing while nothing
 * changes.
 */
export interface Cadence {
  request(): void;
  now(): void;
  /** In answer to a key: what the key has begun goes first, a request to a model for one. */
  answer(): void;
  /** After input had its turn. */
  soon(): void;
  stop(): void;
}

const interval = 50;

export function createCadence(timers: Timers, frame: () => void): Cadence {
  let last = Number.NEGATIVE_INFINITY;
  let waiting: { due: number; cancel: () => void } | undefined;
  let answering = false;
  function run() {
    waiting?.cancel();
    waiting = undefined;
    answering = false;
    last = timers.now();
    frame();
  }
  function plan(ms: number) {
    const due = timers.now() + ms;
    if (waiting && waiting.due <= due) return;
    waiting?.cancel();
    waiting = { due, cancel: timers.after(ms, run) };
  }
  return {
    request: () => plan(Math.max(0, last + interval - timers.now())),
    now: run,
    answer() {
      if (!timers.next) return run();
      if (!answering) timers.next(() => answering && run());
      answering = true;
    },
    soon: () => plan(0),
    stop() {
      waiting?.cancel();
      waiting = undefined;
      answering = false;
    },
  };
}
