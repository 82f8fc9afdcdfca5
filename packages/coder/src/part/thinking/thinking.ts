import { clampEffort } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";

/** Sets the chosen effort in requests, as far as the model supports it. Without a choice the model decides. */
export const thinking: MakePart<"choice"> = ({ choice }) => ({
  name: "thinking",
  context: (request) => (choice.effort ? { ...request, effort: clampEffort(request.model, choice.effort) } : request),
});
