import type { MakePart } from "../../hall/part.ts";

/** A request that its server finds too long goes to a larger model, or is made shorter: trying again would not help. */
export const overflow: MakePart<"compactor"> = ({ compactor }) => ({
  name: "overflow",
  hooks: [
    {
      name: "overflow",
      fail: (failure, turn) =>
        failure.kind === "overflow" ? compactor.overflow(turn, failure.message) : { do: "give up" },
    },
  ],
});
