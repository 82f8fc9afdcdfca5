import type { Timers } from "@pith/tui";
import type { ScreenEvent } from "../../view/throttle.ts";

/** Milliseconds after a turn; nobody reads an answer and sends the next prompt sooner. */
const soonMs = 200;

/**
 * Collects the garbage of a turn while its answer is read. The runtime would do so within a second or with the next
 * key, and at worst the Enter of the next prompt would wait for it.
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

/** Collects young objects only, which takes a millisecond or two however long the session is. */
function clearAway(): void {
  void import("bun:jsc").then(({ edenGC }) => edenGC());
}
