/**
 * Takes lines that repeat the one before out of a stream of bytes, and says how often it came. A few repetitions stay
 * as they are; what may yet turn out to be one more waits.
 */
export class RepeatedLines {
  /** Whether anything was taken out. */
  folded = false;
  /** The last whole line, with its end; empty when there is none to compare with. */
  #line: Uint8Array = none;
  /** How often it came again and was not handed on. */
  #again = 0;
  /** The beginning of a line that may become the same. */
  #waits: Uint8Array = none;
  /** The beginning of the line that goes on, which was handed on. */
  #begun: Uint8Array = none;
  /** Up to here in a chunk lines are counted one at a time. */
  #slow = 0;

  /** What can be handed on; the chunk itself, when nothing in it repeats. */
  push(chunk: Uint8Array): Uint8Array {
    const data = this.#waits.length === 0 ? chunk : Buffer.concat([this.#waits, chunk]);
    this.#waits = none;
    const out: Uint8Array[] = [];
    let from = 0;
    this.#slow = 0;
    for (let at = 0; at < data.length; ) {
      let end = data.indexOf(10, at) + 1 || data.length;
      const row = data.subarray(at, end);
      if (this.#repeats(row)) {
        if (from < at) out.push(data.subarray(from, at));
        if (row[row.length - 1] === 10) end = this.#count(data, at, end);
        else this.#waits = row.slice();
        from = end;
      } else {
        if (this.#again > 0) out.push(this.#close());
        this.#begin(row);
      }
      at = end;
    }
    // Whoever gave the chunk may use it again.
    this.#line = this.#line.slice();
    if (from < data.length && out.length > 0) out.push(data.subarray(from));
    return out.length > 0 || from > 0 ? Buffer.concat(out) : data;
  }

  /** What would still come if this were the end. */
  rest(): Uint8Array {
    return Buffer.concat([this.#said(), this.#waits]);
  }

  /** What still comes, because this is the end. */
  end(): Uint8Array {
    const waits = this.#waits;
    this.#waits = none;
    return Buffer.concat([this.#close(), waits]);
  }

  /** Counts a line that came again, and as many of those behind it as before at once; says where they end. */
  #count(data: Uint8Array, at: number, end: number): number {
    const size = end - at;
    this.#again++;
    const more = end < this.#slow ? 0 : Math.min(this.#again, Math.floor((data.length - end) / size));
    const next = end + more * size;
    if (more < 4) return end;
    if (Buffer.compare(data.subarray(at, next - size), data.subarray(end, next)) !== 0) {
      // Somewhere up to there is another line: until then one at a time, or it would take the square of the time.
      this.#slow = next;
      return end;
    }
    this.#again += more;
    return next;
  }

  /** Whether a line is the last one again, or may become so. */
  #repeats(row: Uint8Array): boolean {
    const { length } = row;
    if (this.#begun.length > 0 || length > this.#line.length || row[0] !== this.#line[0]) return false;
    if (row[length - 1] === 10 && length < this.#line.length) return false;
    return Buffer.compare(row, this.#line.subarray(0, length)) === 0;
  }

  #begin(row: Uint8Array): void {
    const whole = row[row.length - 1] === 10;
    const fresh = this.#begun.length === 0 && whole;
    const line = fresh ? row : this.#begun.length > longest ? this.#begun : Buffer.concat([this.#begun, row]);
    this.#line = whole && line.length <= longest ? line : none;
    this.#begun = whole ? none : line;
  }

  #close(): Uint8Array {
    const said = this.#said();
    if (this.#again + 1 >= fewest) this.folded = true;
    this.#again = 0;
    return said;
  }

  #said(): Uint8Array {
    if (this.#again + 1 >= fewest) return Buffer.from(`[… the line above, ${this.#again + 1} times …]\n`);
    return Buffer.concat(Array.from({ length: this.#again }, () => this.#line));
  }
}

const none = new Uint8Array(0);
const fewest = 8;
const longest = 8 * 1024;
