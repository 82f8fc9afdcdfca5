import type { MakePart } from "../../hall/part.ts";

/** Handles requests that a server refuses as too long: a larger model takes over, or the conversation is shortened. */
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
