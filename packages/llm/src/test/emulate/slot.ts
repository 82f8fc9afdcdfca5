/** Tokens of a request. */
export interface Counts {
  /** The whole prompt. */
  prompt: number;
  /** Prompt tokens found in the cache. */
  cached: number;
  /** Prompt tokens processed anew. */
  processed: number;
  output: number;
}

/** Near enough for every text, and the same for the same text. */
export const tokensIn = (text: string): number => Math.ceil(text.length / 4);

/**
 * The memory of a server with room for one conversation: what a prompt shares with the last one from its start is not
 * worked through again, and whoever asks something else in between takes that away.
 */
export class Slot {
  #held = "";

  take(prompt: string, reply: string): Counts {
    let shared = 0;
    while (shared < prompt.length && prompt[shared] === this.#held[shared]) shared++;
    this.#held = prompt + reply;
    // At least the last token is always worked through.
    const whole = tokensIn(prompt);
    const cached = Math.max(0, Math.min(Math.floor(shared / 4), whole - 1));
    return { prompt: whole, cached, processed: whole - cached, output: tokensIn(reply) };
  }

  forget(): void {
    this.#held = "";
  }
}
