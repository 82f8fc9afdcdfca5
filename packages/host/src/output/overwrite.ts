import { cr, empty, lf, lineEnd } from "./bytes.ts";

/**
 * Removes states of a line that a CR overwrites from a stream of bytes, and says how many there were. The first state,
 * the last two and a short series stay, each as a line of its own. A state that may yet be overwritten waits.
 */
export class OverwrittenLines {
  /** True once something was removed. */
  folded = false;
  #states: Uint8Array[] = [];
  #dropped = 0;
  /** True while the current line has been overwritten at least once. */
  #overwritten = false;
  /** The beginning of a state that has no end yet. */
  #pending: Uint8Array = empty;

  /** The bytes that are settled; the chunk itself if it overwrites nothing. */
  push(chunk: Uint8Array): Uint8Array {
    if (!this.#overwritten && !chunk.includes(cr)) return chunk;
    const data = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = empty;
    const out: Uint8Array[] = [];
    for (let at = 0; at < data.length; ) {
      const end = lineEnd(data, at);
      const row = data.subarray(at, end);
      at = end;
      const last = row[row.length - 1];
      if (last === cr) {
        const state = Uint8Array.from(row).fill(lf, -1);
        if (this.#overwritten) this.#keep(state);
        else out.push(state);
        this.#overwritten = true;
      } else if (last !== lf && this.#overwritten && row.length <= maxPending) this.#pending = row.slice();
      else out.push(this.end(), row);
    }
    return Buffer.concat(out);
  }

  /** The bytes that would still come if the stream ended now. */
  rest(): Uint8Array {
    const note = this.#dropped > 0 ? [Buffer.from(`[… ${this.#dropped} more states of this line …]\n`)] : [];
    return Buffer.concat([...note, ...this.#states, this.#pending]);
  }

  /** Ends the line, or the stream, and returns the bytes that waited. */
  end(): Uint8Array {
    const rest = this.rest();
    this.#pending = empty;
    this.#states = [];
    this.#dropped = 0;
    this.#overwritten = false;
    return rest;
  }

  #keep(state: Uint8Array): void {
    this.#states.push(state);
    if (this.#dropped === 0 && this.#states.length < minFolded) return;
    this.folded = true;
    // Programs often blank a line before its last state; a blank state is not worth keeping.
    const last = this.#states.findLast((one) => one.some((byte) => byte > 32)) ?? state;
    this.#dropped += this.#states.length - 1;
    this.#states = [last];
  }
}

const minFolded = 8;
const maxPending = 8 * 1024;
