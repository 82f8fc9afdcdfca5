import type { Model } from "@pith/llm";

/** Code with numbers in front of its lines: a token is rarely shorter. */
const bytesPerToken = 3;

/**
 * Bytes of one answer of a tool: at most so many, and never more than a twentieth of the model's window, known or
 * assumed. Without a model (a tool called by hand) nothing has to fit.
 */
export function roomOf({ contextWindow }: Pick<Model, "contextWindow">, most: number): number {
  return Math.min(most, Math.floor(((contextWindow || Number.POSITIVE_INFINITY) / 20) * bytesPerToken));
}
