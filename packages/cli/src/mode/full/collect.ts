import type { Timers } from "@pith/tui";
import type { ScreenEvent } from "../../view/throttle.ts";

/** An answer is not read sooner, and nobody answers it sooner. */
const soonMs = 200;

/**
 * What a turn leaves behind is cleared away while its answer is read. The runtime would begin with it within a second
 * and end it with the next key, and whoever pressed that would wait: at worst it is the Enter of the next prompt.
 */
export function createCollector(timers: Timers, tidy: () => void = clearAway): { hear(event: ScreenEvent): void } {
  let cancel: (() => void) | undefined;
  return {
    hear(event) {
      if (event.type !== "turn") return;
      cancel?.();
      cancel = event.state.name === "idle" ? timers.after(soonMs, tidy) : undefined;
    },
  };
}

/** Only what is young: that takes a millisecond or two, however long the session is. */
function clearAway(): void {
  void import("bun:jsc").then(({ edenGC }) => edenGC());
}
