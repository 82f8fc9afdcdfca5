import { incompleteTail } from "../fs/utf8.ts";

/** The beginning and the end of a stream of clean bytes, in a buffer that never exceeds about twice its budget. */
export class HeadTail {
  readonly #max: number;
  readonly #headMax: number;
  readonly #tailMax: number;
  #head: Uint8Array = none;
  #tail: Uint8Array = none;
  #used = 0;
  /** Bytes ever pushed. */
  #seen = 0;

  constructor(max: number, headMax: number) {
    this.#max = max;
    this.#headMax = Math.min(headMax, max);
    this.#tailMax = max - this.#headMax;
  }

  push(chunk: Uint8Array): void {
    this.#seen += chunk.length;
    const toHead = Math.min(this.#headMax - this.#head.length, chunk.length);
    if (toHead > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, toHead)]);
    this.#append(toHead > 0 ? chunk.subarray(toHead) : chunk);
  }

  /** What to hand on; cuts fall between lines where there are any, else between characters. */
  kept(): { head: Uint8Array; tail: Uint8Array; cut: "nowhere" | "between lines" | "anywhere" } {
    if (this.#seen <= this.#max)
      return { head: Buffer.concat([this.#head, this.#tail.subarray(0, this.#used)]), tail: none, cut: "nowhere" };
    const kept = this.#tail.subarray(Math.max(0, this.#used - this.#tailMax), this.#used);
    const head = this.#head.subarray(0, headEnd(this.#head));
    const start = tailStart(kept);
    const between = kept[start - 1] === 10 && (head.length === 0 || head[head.length - 1] === 10);
    return { head, tail: kept.subarray(start), cut: between ? "between lines" : "anywhere" };
  }

  #append(chunk: Uint8Array): void {
    if (this.#used + chunk.length > this.#tail.length) this.#makeRoom(chunk.length);
    const fits = chunk.length <= this.#tail.length ? chunk : chunk.subarray(chunk.length - this.#tail.length);
    this.#tail.set(fits, this.#used);
    this.#used += fits.length;
  }

  #makeRoom(wanted: number): void {
    const keep = Math.min(this.#used, Math.max(0, this.#tailMax - wanted));
    const whole = this.#used + wanted <= this.#tailMax;
    const size = whole ? Math.min(this.#tailMax, Math.max(1024, 2 * (this.#used + wanted))) : 2 * this.#tailMax;
    if (size > this.#tail.length) {
      const next = new Uint8Array(size);
      next.set(this.#tail.subarray(this.#used - keep, this.#used));
      this.#tail = next;
    } else this.#tail.copyWithin(0, this.#used - keep, this.#used);
    this.#used = keep;
  }
}

const none = new Uint8Array(0);

function headEnd(head: Uint8Array): number {
  return head.lastIndexOf(10) + 1 || head.length - incompleteTail(head);
}

function tailStart(tail: Uint8Array): number {
  const line = tail.indexOf(10) + 1;
  if (line > 0 && line < tail.length) return line;
  let start = 0;
  while (start < tail.length && ((tail[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
