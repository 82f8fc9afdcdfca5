import type { Compat } from "../../model/compat.ts";
import type { Model } from "../../model/model.ts";

// What is true of Claude wherever it is served.

export const isClaude = ({ id }: Pick<Model, "id">): boolean => /claude/.test(id);

/** Whether thinking is asked for by effort; older models take a budget of tokens. */
export const thinksByEffort = ({ id }: Pick<Model, "id">, compat: Compat): boolean =>
  compat.forceAdaptiveThinking ?? /claude-[a-z]+-(?:4[-.][6-9]|[5-9])/.test(id);

/** With a budget, the reply whose calls are being answered must begin with a thought; one of another model does not. */
export const beginsWithThought = (reply: string | undefined): boolean =>
  reply !== undefined && /^\{"(?:type":"(?:redacted_)?thinking"|reasoningContent")/.test(reply);
