import type { MakePart } from "../hall/part.ts";

/** What people ran during a turn gets its place in the record before the model is asked next. */
export const typed: MakePart<"typed"> = (hall) => ({
  name: "typed",
  hooks: [
    {
      name: "typed",
      step() {
        hall.typed.flush();
        return { do: "go" };
      },
    },
  ],
  [Symbol.asyncDispose]: async () => hall.typed.stop(),
});
