import type { Source } from "../../../io/io.ts";

/** What comes from the terminal: lines for the conversation, or, while somebody has taken them, keys for a program. */
export class Keys implements Source {
  readonly #source: Source;
  #taken: ((bytes: Uint8Array) => void) | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  get kind(): Source["kind"] {
    return this.#source.kind;
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#source.bytes()) {
      if (this.#taken) this.#taken(chunk);
      else yield chunk;
    }
  }

  take(to: (bytes: Uint8Array) => void): Disposable {
    this.#taken = to;
    return {
      [Symbol.dispose]: () => {
        this.#taken = undefined;
      },
    };
  }
}
