import type { Behaviour } from "@pith/agent";
import { plural } from "@pith/kit";

/** Ends a turn that has asked the model `max` times. */
export const limit = (max: number): Behaviour => ({
  name: "limit",
  step: (turn) =>
    turn.step < max
      ? { do: "go" }
      : { do: "stop", message: `The limit of ${plural(max, "model request")} (--max-turns) was reached.` },
});
