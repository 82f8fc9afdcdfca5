/**
 * Takes states of a line that were written over (by a CR) out of a stream of bytes, and says how many there were. The
 * first, the last two and a few stay, each as a line of its own; what may yet be written over waits.
 */
export class OverwrittenLines {
  /** Whether anything was taken out. */
  folded = false;
  #states: Uint8Array[] = [];
  #dropped = 0;
  /** Whether the present line was written over already. */
  #over = false;
  /** A state that goes on. */
  #waits: Uint8Array = none;

  /** What can be handed on; the chunk itself, when nothing in it is written over. */
  push(chunk: Uint8Array): Uint8Array {
    if (!this.#over && !chunk.includes(cr)) return chunk;
    const data = this.#waits.length === 0 ? chunk : Buffer.concat([this.#waits, chunk]);
    this.#waits = none;
    const out: Uint8Array[] = [];
    for (let at = 0; at < data.length; ) {
      const end = lineEnd(data, at);
      const row = data.subarray(at, end);
      at = end;
      const last = row[row.length - 1];
      if (last === cr) {
        const state = Uint8Array.from(row).fill(lf, -1);
        if (this.#over) this.#keep(state);
        else out.push(state);
        this.#over = true;
      } else if (last !== lf && this.#over && row.length <= longest) this.#waits = row.slice();
      else out.push(this.end(), row);
    }
    return Buffer.concat(out);
  }

  /** What would still come if this were the end. */
  rest(): Uint8Array {
    const said = this.#dropped > 0 ? [Buffer.from(`[… ${this.#dropped} more states of this line …]\n`)] : [];
    return Buffer.concat([...said, ...this.#states, this.#waits]);
  }

  /** What still comes, because this is the end or the line is over. */
  end(): Uint8Array {
    const rest = this.rest();
    this.#waits = none;
    this.#states = [];
    this.#dropped = 0;
    this.#over = false;
    return rest;
  }

  #keep(state: Uint8Array): void {
    this.#states.push(state);
    if (this.#dropped === 0 && this.#states.length < fewest) return;
    this.folded = true;
    // A line is often blanked before the last word on it; that is no state to keep.
    const last = this.#states.findLast((one) => one.some((byte) => byte > 32)) ?? state;
    this.#dropped += this.#states.length - 1;
    this.#states = [last];
  }
}

/** Where the line ends that begins there, by an LF or a CR. */
export function lineEnd(bytes: Uint8Array, at: number): number {
  for (let end = at; end < bytes.length; end++) if (bytes[end] === lf || bytes[end] === cr) return end + 1;
  return bytes.length;
}

/** Every state as a line. */
export const asLines = (bytes: Uint8Array): Uint8Array =>
  bytes.includes(cr) ? bytes.map((byte) => (byte === cr ? lf : byte)) : bytes;

const none = new Uint8Array(0);
const lf = 10;
const cr = 13;
const fewest = 8;
const longest = 8 * 1024;
