import type { Scene } from "@pith/agent";
import type { Wanted } from "./choice.ts";

/**
 * Returns why a run may ask nothing more; undefined while something of its budget is left. Failed attempts and requests
 * beside the conversation count, too.
 */
export function spentUp({ maxCost, maxTokens }: Wanted, { cost, tokens }: Scene["spent"]): string | undefined {
  if (maxCost !== undefined && cost >= maxCost)
    return `The budget of $${maxCost} (--max-cost) is used up: $${cost.toFixed(4)} so far.`;
  if (maxTokens !== undefined && tokens >= maxTokens)
    return `The budget of ${maxTokens} tokens (--max-tokens) is used up: ${tokens} so far.`;
  return undefined;
}
