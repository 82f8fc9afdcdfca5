import type { Compat } from "../../model/compat.ts";
import type { Model } from "../../model/model.ts";

// Facts about Claude models, at any vendor.

export const isClaude = ({ id }: Pick<Model, "id">): boolean => /claude/.test(id);

/** True when thinking is requested by effort; older models take a token budget. */
export const thinksByEffort = ({ id }: Pick<Model, "id">, compat: Compat): boolean =>
  compat.forceAdaptiveThinking ?? /claude-[a-z]+-(?:4[-.][6-9]|[5-9])/.test(id);

/**
 * True when an encoded reply begins with a thought: with a token budget, the reply whose calls are being answered must.
 * Thoughts of other models are left out and do not count.
 */
export const beginsWithThought = (reply: string | undefined): boolean =>
  reply !== undefined && /^\{"(?:type":"(?:redacted_)?thinking"|reasoningContent")/.test(reply);
