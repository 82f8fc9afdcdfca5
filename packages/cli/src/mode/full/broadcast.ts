import type { Coder } from "@pith/coder";
import { messageOf } from "@pith/kit";
import { type ScreenEvent, throttled } from "../../view/throttle.ts";
import type { ScreenContext } from "./context.ts";

interface Listener {
  hear?(event: ScreenEvent): void;
  attach?(coder: Coder): void;
}

/** Tells the parts of the screen about one conversation at a time. */
export interface Broadcast {
  attend(coder: Coder): void;
  leave(): void;
}

/** Calls each listener, then `heard`; a listener that throws is reported once per failure, the others go on. */
export function createBroadcast(context: ScreenContext, listeners: readonly Listener[], heard: () => void): Broadcast {
  const said = new Set<string>();
  const each = (tell: (listener: Listener) => void) => {
    for (const listener of listeners)
      try {
        tell(listener);
      } catch (thrown) {
        const why = messageOf(thrown);
        if (!said.has(why)) context.say("error", `Something cannot be shown: ${why}`);
        said.add(why);
      }
  };
  let events: Disposable | undefined;
  const leave = () => events?.[Symbol.dispose]();
  return {
    leave,
    attend(coder) {
      leave();
      each((listener) => listener.attach?.(coder));
      events = throttled(coder, context.timers, (event) => {
        each((listener) => listener.hear?.(event));
        heard();
      });
    },
  };
}
