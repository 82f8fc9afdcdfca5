import { plural } from "@pith/kit";
import type { MakePart } from "../hall/part.ts";

/** Ends a turn that has asked the model as often as it may. */
export const limit: MakePart<"choice"> = ({ choice }) => {
  const { maxSteps } = choice.wanted;
  if (maxSteps === undefined) return undefined;
  const message = `The limit of ${plural(maxSteps, "model request")} (--max-turns) was reached.`;
  return {
    name: "limit",
    hooks: [{ name: "limit", step: ({ step }) => (step < maxSteps ? { do: "go" } : { do: "stop", message }) }],
  };
};
