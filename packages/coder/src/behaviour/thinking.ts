import type { Behaviour } from "@pith/agent";
import { clampEffort, type Effort } from "@pith/llm";

/** How long the model thinks: what was asked for, as far as the model that is asked can do it. */
export const thinking = (level: Effort): Behaviour => ({
  name: "thinking",
  context: (request) => ({ ...request, effort: clampEffort(request.model, level) }),
});
