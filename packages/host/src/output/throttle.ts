/** At most one `run` per `everyMs`, always at the end of a window: what is over within one is never shown. */
export function throttle(everyMs: number, run: () => void): { poke(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const fire = () => {
    timer = undefined;
    run();
  };
  return {
    poke() {
      timer ??= setTimeout(fire, everyMs);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
