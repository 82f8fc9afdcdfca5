export interface TapExchange {
  time: number;
  /** Status or failure, and the address. */
  head: string;
  /** Never shown. */
  secrets: readonly string[];
}

/** The captured part of an answer; its beginning may be gone. */
export interface TapCapture {
  exchange: TapExchange;
  bytes: Uint8Array;
  whole: boolean;
}

const room = 512_000;
const mostMarks = 512;

/** Keeps the newest bytes from servers. They are only copied into a ring; nothing is decoded before somebody looks. */
export class Tap {
  #ring: Uint8Array | undefined;
  /** Bytes captured in total. */
  #written = 0;
  /** Start offsets of answers; several may interleave. */
  #marks: { from: number; exchange: TapExchange; first: boolean }[] = [];
  #speaker: TapExchange | undefined;
  readonly #listeners = new Set<() => void>();

  /** Begins an answer; returns a function that takes its bytes. */
  begin(exchange: TapExchange): (bytes: Uint8Array | undefined) => void {
    this.#mark(exchange, true);
    this.#tell();
    return (bytes) => bytes && this.#hear(exchange, bytes);
  }

  #hear(exchange: TapExchange, bytes: Uint8Array): void {
    this.#ring ??= new Uint8Array(room);
    if (this.#speaker !== exchange) this.#mark(exchange, false);
    // Only the end of a chunk larger than the ring is kept.
    const skipped = Math.max(0, bytes.length - room);
    const fresh = skipped > 0 ? bytes.subarray(skipped) : bytes;
    this.#written += skipped;
    const at = this.#written % room;
    const split = room - at;
    if (fresh.length <= split) this.#ring.set(fresh, at);
    else {
      this.#ring.set(fresh.subarray(0, split), at);
      this.#ring.set(fresh.subarray(split), 0);
    }
    this.#written += fresh.length;
    this.#tell();
  }

  /** Captures in the order in which the answers began. */
  captures(): TapCapture[] {
    const oldest = Math.max(0, this.#written - room);
    const all = new Map<TapExchange, { whole: boolean; parts: Uint8Array[] }>();
    for (const [i, { from, exchange, first }] of this.#marks.entries()) {
      const to = this.#marks[i + 1]?.from ?? this.#written;
      const known = all.get(exchange) ?? { whole: first && from >= oldest, parts: [] };
      if (to > oldest) known.parts.push(this.#between(Math.max(from, oldest), to));
      // An answer that is completely overwritten is left out.
      if (to > oldest || from >= oldest) all.set(exchange, known);
    }
    return [...all].map(([exchange, { whole, parts }]) => ({ exchange, whole, bytes: Buffer.concat(parts) }));
  }

  /** Adds a listener for new data; its exceptions are ignored. */
  listen(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  #mark(exchange: TapExchange, first: boolean): void {
    this.#speaker = exchange;
    this.#marks.push({ from: this.#written, exchange, first });
    if (this.#marks.length > mostMarks) this.#marks.splice(0, mostMarks / 2);
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch {
        // A listener's failure does not stop the capture.
      }
    }
  }

  #between(from: number, to: number): Uint8Array {
    const [at, end] = [from % room, to % room];
    if (!this.#ring || from === to) return new Uint8Array(0);
    if (at < end) return this.#ring.slice(at, end);
    return Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, end)]);
  }
}
