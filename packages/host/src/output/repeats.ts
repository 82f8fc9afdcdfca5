import { empty, lf } from "./bytes.ts";

/**
 * Removes lines that repeat the line before from a stream of bytes, and says how often the line came. A few repetitions
 * stay as they are; a line that may turn out to be one more repetition waits.
 */
export class RepeatedLines {
  /** True once something was removed. */
  folded = false;
  /** The last whole line with its LF; empty when there is none to compare with. */
  #line: Uint8Array = empty;
  /** Repetitions of the last line that were not passed on. */
  #repeats = 0;
  /** The beginning of a line that may become a repetition. */
  #pending: Uint8Array = empty;
  /** The beginning of the current line, which was passed on already. */
  #begun: Uint8Array = empty;
  /** Up to this offset of a chunk, repetitions are counted one at a time. */
  #slowUntil = 0;

  /** The bytes that are settled; the chunk itself if nothing in it repeats. */
  push(chunk: Uint8Array): Uint8Array {
    const data = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    this.#pending = empty;
    const out: Uint8Array[] = [];
    let from = 0;
    this.#slowUntil = 0;
    for (let at = 0; at < data.length; ) {
      let end = data.indexOf(lf, at) + 1 || data.length;
      const row = data.subarray(at, end);
      if (this.#isRepeat(row)) {
        if (from < at) out.push(data.subarray(from, at));
        if (row[row.length - 1] === lf) end = this.#count(data, at, end);
        else this.#pending = row.slice();
        from = end;
      } else {
        if (this.#repeats > 0) out.push(this.#close());
        this.#begin(row);
      }
      at = end;
    }
    // The caller may reuse the memory of the chunk.
    this.#line = this.#line.slice();
    if (from < data.length && out.length > 0) out.push(data.subarray(from));
    return out.length > 0 || from > 0 ? Buffer.concat(out) : data;
  }

  /** The bytes that would still come if the stream ended now. */
  rest(): Uint8Array {
    return Buffer.concat([this.#folding(), this.#pending]);
  }

  /** Ends the stream and returns the bytes that waited. */
  end(): Uint8Array {
    const pending = this.#pending;
    this.#pending = empty;
    return Buffer.concat([this.#close(), pending]);
  }

  /** Counts a repetition, and where possible as many behind it as were counted before; returns the offset behind them. */
  #count(data: Uint8Array, at: number, end: number): number {
    const size = end - at;
    this.#repeats++;
    const more = end < this.#slowUntil ? 0 : Math.min(this.#repeats, Math.floor((data.length - end) / size));
    const next = end + more * size;
    if (more < 4) return end;
    if (Buffer.compare(data.subarray(at, next - size), data.subarray(end, next)) !== 0) {
      // Another line stands before `next`. Up to there lines are counted singly, or the time would grow as the square.
      this.#slowUntil = next;
      return end;
    }
    this.#repeats += more;
    return next;
  }

  /** True for the last line again, and for a beginning that may become it. */
  #isRepeat(row: Uint8Array): boolean {
    const { length } = row;
    if (this.#begun.length > 0 || length > this.#line.length || row[0] !== this.#line[0]) return false;
    if (row[length - 1] === lf && length < this.#line.length) return false;
    return Buffer.compare(row, this.#line.subarray(0, length)) === 0;
  }

  #begin(row: Uint8Array): void {
    const whole = row[row.length - 1] === lf;
    const fresh = this.#begun.length === 0 && whole;
    const line = fresh ? row : this.#begun.length > maxLine ? this.#begun : Buffer.concat([this.#begun, row]);
    this.#line = whole && line.length <= maxLine ? line : empty;
    this.#begun = whole ? empty : line;
  }

  #close(): Uint8Array {
    const folding = this.#folding();
    if (this.#repeats + 1 >= minFolded) this.folded = true;
    this.#repeats = 0;
    return folding;
  }

  /** The repetitions: as a note if there are many, else as they came. */
  #folding(): Uint8Array {
    if (this.#repeats + 1 >= minFolded) return Buffer.from(`[… the line above, ${this.#repeats + 1} times …]\n`);
    return Buffer.concat(Array.from({ length: this.#repeats }, () => this.#line));
  }
}

const minFolded = 8;
const maxLine = 8 * 1024;
