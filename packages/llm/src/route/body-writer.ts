const encoder = new TextEncoder();

/**
 * Encodes bodies to bytes. A body begins with the pieces of the one before, so only new pieces are encoded; the bytes
 * are valid until the next call.
 */
export class BodyWriter {
  #bytes = new Uint8Array(64 * 1024);
  #pieces: readonly string[] = [];
  /** End offset of each piece. */
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
