import type { Model } from "@pith/llm";

/** Low estimate for code with line numbers. */
const bytesPerToken = 3;

/**
 * Limits the bytes of one result of a tool to `most` and to a twentieth of the model's window. An unknown window (0)
 * does not limit.
 */
export function resultBytes({ contextWindow }: Pick<Model, "contextWindow">, most: number): number {
  return Math.min(most, Math.floor(((contextWindow || Number.POSITIVE_INFINITY) / 20) * bytesPerToken));
}
