const encoder = new TextEncoder();

/**
 * Writes bodies as bytes. A body begins like the one before it, piece by piece, so only what is new is written; the
 * bytes hold until the next one is.
 */
export class BodyWriter {
  #bytes = new Uint8Array(64 * 1024);
  #pieces: readonly string[] = [];
  /** Where each piece ends. */
  #ends: number[] = [];

  write(pieces: readonly string[]): Uint8Array<ArrayBuffer> {
    let known = 0;
    while (known < this.#ends.length && pieces[known] === this.#pieces[known]) known++;
    this.#ends.length = known;
    this.#pieces = pieces;
    let at = this.#ends[known - 1] ?? 0;
    for (; known < pieces.length; known++) {
      const piece = pieces[known] as string;
      this.#reserve(at, piece);
      at += encoder.encodeInto(piece, this.#bytes.subarray(at)).written;
      this.#ends.push(at);
    }
    return this.#bytes.subarray(0, at);
  }

  #reserve(at: number, piece: string): void {
    // No character takes more than three bytes.
    const needed = at + piece.length * 3;
    if (needed <= this.#bytes.length) return;
    const more = new Uint8Array(needed * 2);
    more.set(this.#bytes.subarray(0, at));
    this.#bytes = more;
  }
}
