/** One answer of a server. */
export interface TapExchange {
  time: number;
  /** Where it came from, and how it began: a status, or why there was none. */
  head: string;
  /** Never to be shown. */
  secrets: readonly string[];
}

/** What is still there of an answer; its beginning may be gone. */
export interface TapCapture {
  exchange: TapExchange;
  bytes: Uint8Array;
  whole: boolean;
}

const room = 512_000;
const mostMarks = 512;

/**
 * The newest bytes that servers sent, as they came. They are only copied into one ring: nothing is cut, decoded or told
 * until somebody looks.
 */
export class Tap {
  #ring: Uint8Array | undefined;
  /** How much was ever heard. */
  #written = 0;
  /** From where on it is whose: answers may come side by side. */
  #marks: { from: number; exchange: TapExchange; first: boolean }[] = [];
  #speaker: TapExchange | undefined;
  readonly #listeners = new Set<() => void>();

  /** What is to be called with all that comes of this answer. */
  begin(exchange: TapExchange): (bytes: Uint8Array | undefined) => void {
    this.#mark(exchange, true);
    this.#tell();
    return (bytes) => bytes && this.#hear(exchange, bytes);
  }

  #hear(exchange: TapExchange, bytes: Uint8Array): void {
    this.#ring ??= new Uint8Array(room);
    if (this.#speaker !== exchange) this.#mark(exchange, false);
    // Of more than there is room for, the end.
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

  /** Answer by answer, the one that began first first. */
  captures(): TapCapture[] {
    const oldest = Math.max(0, this.#written - room);
    const all = new Map<TapExchange, { whole: boolean; parts: Uint8Array[] }>();
    for (const [i, { from, exchange, first }] of this.#marks.entries()) {
      const to = this.#marks[i + 1]?.from ?? this.#written;
      const known = all.get(exchange) ?? { whole: first && from >= oldest, parts: [] };
      if (to > oldest) known.parts.push(this.#between(Math.max(from, oldest), to));
      // What is all gone is not spoken of.
      if (to > oldest || from >= oldest) all.set(exchange, known);
    }
    return [...all].map(([exchange, { whole, parts }]) => ({ exchange, whole, bytes: Buffer.concat(parts) }));
  }

  /** Is told that there is more to hear; whatever it does, hearing goes on. */
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
        // Its own matter.
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
