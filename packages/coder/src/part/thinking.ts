import type { Behaviour } from "@pith/agent";
import { clampEffort, type Effort } from "@pith/llm";

/**
 * How long the model thinks: what was asked for, as far as the model that is asked can do it. Nothing asked is left to
 * the model.
 */
export const thinking = (level: () => Effort | undefined): Behaviour => ({
  name: "thinking",
  context(request) {
    const wanted = level();
    return wanted ? { ...request, effort: clampEffort(request.model, wanted) } : request;
  },
});
