import { perTurn } from "@pith/agent";
import type { MakePart } from "../../hall/part.ts";
import go from "./truncated.md" with { type: "text" };

/** Continuations in a row. */
const most = 3;

/** Asks on when an answer ran into the output limit, unless the whole context is full. */
export const length: MakePart<never> = () => {
  const cut = perTurn(() => ({ inARow: 0 }));
  return {
    name: "length",
    settle(turn) {
      const { reply, model } = turn;
      const memory = cut(turn);
      if (reply?.stopReason !== "length") {
        memory.inARow = 0;
        return { do: "done" };
      }
      memory.inARow++;
      if (memory.inARow > most || reply.usage.totalTokens > 0.9 * model.contextWindow) return { do: "done" };
      return { do: "go on", note: go.trim() };
    },
  };
};
