import type { Model } from "@pith/llm";

/** Tokens of a window that nobody told us of. */
const guessed = 32_000;
/** Code with numbers in front of its lines: a token is rarely shorter. */
const bytesPerToken = 3;

/** Bytes of one answer of a tool: at most so many, and never more than a twentieth of the model's window. */
export function roomOf({ contextWindow, known }: Pick<Model, "contextWindow" | "known">, most: number): number {
  // Without a model (a tool called by hand) nothing has to fit.
  const window = known ? contextWindow || Number.POSITIVE_INFINITY : guessed;
  return Math.min(most, Math.floor((window / 20) * bytesPerToken));
}
