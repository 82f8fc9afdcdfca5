/** Keeps the last bytes of a stream, and drops what came before them. */
export class Tail {
  readonly #max: number;
  #bytes = Buffer.alloc(0);

  constructor(max: number) {
    this.#max = max;
  }

  add(chunk: Uint8Array): void {
    // Twice the room, so that a flood is not copied with every chunk.
    this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(-this.#max)]);
    if (this.#bytes.length > 2 * this.#max) this.#bytes = Buffer.from(this.#bytes.subarray(-this.#max));
  }

  get text(): string {
    return this.#bytes.subarray(-this.#max).toString();
  }
}
