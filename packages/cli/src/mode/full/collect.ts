import type { Timers } from "@pith/tui";
import { createGarbageCollector } from "../../open/garbage.ts";
import type { ScreenEvent } from "../../view/throttle.ts";

/** Milliseconds after a turn; nobody reads an answer and sends the next prompt sooner. */
const soonMs = 200;

/**
 * Collects the garbage of a turn while its answer is read. The runtime would do so within a second or with the next
 * key, and at worst the Enter of the next prompt would wait for it.
 */
export function createCollector(timers: Timers, tidy = createTidy()): { hear(event: ScreenEvent): void } {
  let cancel: (() => void) | undefined;
  return {
    hear(event) {
      if (event.type !== "turn") return;
      cancel?.();
      cancel = event.state.name === "idle" ? timers.after(soonMs, tidy) : undefined;
    },
  };
}

/** Collects young objects, which takes a millisecond or two however long the session is, and all where they became many. */
function createTidy(): () => void {
  const collect = createGarbageCollector();
  return () => void import("bun:jsc").then(({ edenGC }) => edenGC()).then(collect);
}
