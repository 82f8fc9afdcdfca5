import { plural } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";

/** Ends a turn that has made as many requests as it may. The limit depends on the profile of the model. */
export const limit: MakePart<"choice" | "settings"> = ({ choice, settings }) => ({
  name: "limit",
  step({ step }) {
    const most = choice.wanted.maxSteps ?? settings.get("turns.max");
    if (most === undefined || step < most) return { do: "go" };
    return { do: "stop", message: `The limit of ${plural(most, "model request")} (--max-turns) was reached.` };
  },
});
