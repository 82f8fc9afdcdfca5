import { clampEffort } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";

/**
 * How long the model thinks: what was asked for, as far as the model that is asked can do it. Nothing asked is left to
 * the model.
 */
export const thinking: MakePart<"choice"> = ({ choice }) => ({
  name: "thinking",
  hooks: [
    {
      name: "thinking",
      context: (request) =>
        choice.effort ? { ...request, effort: clampEffort(request.model, choice.effort) } : request,
    },
  ],
});
