/** Calls `run` at most once per `everyMs`, at the end of the window: work that ends within the window is never shown. */
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
