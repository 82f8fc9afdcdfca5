import type { Model } from "@pith/llm";

/** Low estimate for code with line numbers. */
const bytesPerToken = 3;

/** In a small window a result may take more: pieces of a file would cost a request each. */
const floor = { bytes: 8 * 1024, share: 1 / 5 };

/**
 * Limits the bytes of one result of a tool to `most` and to a twentieth of the model's window, or the floor. An unknown
 * window (0) does not limit.
 */
export function resultBytes({ contextWindow }: Pick<Model, "contextWindow">, most: number): number {
  const window = (contextWindow || Number.POSITIVE_INFINITY) * bytesPerToken;
  return Math.floor(Math.min(most, Math.max(window / 20, Math.min(floor.bytes, window * floor.share))));
}
