import type { MakePart } from "../../hall/part.ts";
import { spentUp } from "../../model/budget.ts";

/** Ends a run between two requests when its budget is used up. */
export const budget: MakePart<"choice" | "channel"> = ({ choice: { wanted }, channel }) => {
  if (wanted.maxCost === undefined && wanted.maxTokens === undefined) return undefined;
  return {
    name: "budget",
    step() {
      const message = spentUp(wanted, channel.scene.spent);
      return message === undefined ? { do: "go" } : { do: "stop", message };
    },
  };
};
