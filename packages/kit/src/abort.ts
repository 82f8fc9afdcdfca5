/** Resolves after `ms`, or at once when the signal aborts; says which. */
export function sleep(ms: number, signal?: AbortSignal): Promise<"slept" | "aborted"> {
  return new Promise((done) => {
    if (signal?.aborted) return done("aborted");
    const timer = setTimeout(() => finish("slept"), ms);
    const onAbort = () => finish("aborted");
    signal?.addEventListener("abort", onAbort, { once: true });
    function finish(how: "slept" | "aborted") {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      done(how);
    }
  });
}

/** Resolves when the signal aborts; never rejects. `stop` takes the listener away again. */
export function whenAborted(signal: AbortSignal): { promise: Promise<void>; stop: () => void } {
  let stop = () => {};
  const promise = new Promise<void>((done) => {
    if (signal.aborted) return done();
    const onAbort = () => done();
    signal.addEventListener("abort", onAbort, { once: true });
    stop = () => signal.removeEventListener("abort", onAbort);
  });
  return { promise, stop };
}

/**
 * Many waits against one end. `Promise.race` would hang every one of them onto the promise of the end, with all that
 * they brought, for as long as that is not over; here it knows the present one only.
 */
export function raceEnd<E>(end: Promise<E>): <T>(work: Promise<T>) => Promise<T | E> {
  let present: ((end: E) => void) | undefined;
  let over: { end: E } | undefined;
  void end.then((value) => {
    over = { end: value };
    present?.(value);
  });
  return (work) =>
    new Promise((done, failed) => {
      if (over) return done(over.end);
      present = done;
      work.then(done, failed);
    });
}
