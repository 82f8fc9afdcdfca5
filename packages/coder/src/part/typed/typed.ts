import type { MakePart } from "../../hall/part.ts";

/** What people ran during a turn gets its place in the record before the model is asked next, or at its end. */
export const typed: MakePart<"typed"> = (hall) => ({
  name: "typed",
  hooks: [
    {
      name: "typed",
      step() {
        hall.typed.flush();
        return { do: "go" };
      },
      // What ended during the last answer of the turn.
      idle: () => hall.typed.flush(),
    },
  ],
  [Symbol.asyncDispose]: () => hall.typed.stop(),
});
