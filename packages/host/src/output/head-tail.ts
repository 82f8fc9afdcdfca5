import { incompleteTail } from "../fs/utf8.ts";
import { empty, lf } from "./bytes.ts";

/** Keeps the beginning and the end of a stream of bytes, in a buffer of at most about twice the limit. */
export class HeadTail {
  readonly #max: number;
  readonly #headMax: number;
  readonly #tailMax: number;
  #head: Uint8Array = empty;
  #tail: Uint8Array = empty;
  #used = 0;
  /** Bytes pushed so far. */
  #total = 0;

  constructor(max: number, headMax: number) {
    this.#max = max;
    this.#headMax = Math.min(headMax, max);
    this.#tailMax = max - this.#headMax;
  }

  push(chunk: Uint8Array): void {
    this.#total += chunk.length;
    const toHead = Math.min(this.#headMax - this.#head.length, chunk.length);
    if (toHead > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, toHead)]);
    this.#append(toHead > 0 ? chunk.subarray(toHead) : chunk);
  }

  /** The kept bytes; a cut falls between lines if there are any, else between characters. */
  parts(): { head: Uint8Array; tail: Uint8Array; cut: "nowhere" | "between lines" | "anywhere" } {
    if (this.#total <= this.#max)
      return { head: Buffer.concat([this.#head, this.#tail.subarray(0, this.#used)]), tail: empty, cut: "nowhere" };
    const end = this.#tail.subarray(Math.max(0, this.#used - this.#tailMax), this.#used);
    const head = this.#head.subarray(0, headEnd(this.#head));
    const start = tailStart(end);
    const between = end[start - 1] === lf && (head.length === 0 || head[head.length - 1] === lf);
    return { head, tail: end.subarray(start), cut: between ? "between lines" : "anywhere" };
  }

  #append(chunk: Uint8Array): void {
    if (this.#used + chunk.length > this.#tail.length) this.#grow(chunk.length);
    const fits = chunk.length <= this.#tail.length ? chunk : chunk.subarray(chunk.length - this.#tail.length);
    this.#tail.set(fits, this.#used);
    this.#used += fits.length;
  }

  #grow(count: number): void {
    const keep = Math.min(this.#used, Math.max(0, this.#tailMax - count));
    const whole = this.#used + count <= this.#tailMax;
    const size = whole ? Math.min(this.#tailMax, Math.max(1024, 2 * (this.#used + count))) : 2 * this.#tailMax;
    if (size > this.#tail.length) {
      const next = new Uint8Array(size);
      next.set(this.#tail.subarray(this.#used - keep, this.#used));
      this.#tail = next;
    } else this.#tail.copyWithin(0, this.#used - keep, this.#used);
    this.#used = keep;
  }
}

function headEnd(head: Uint8Array): number {
  return head.lastIndexOf(lf) + 1 || head.length - incompleteTail(head);
}

function tailStart(tail: Uint8Array): number {
  const line = tail.indexOf(lf) + 1;
  if (line > 0 && line < tail.length) return line;
  let start = 0;
  while (start < tail.length && ((tail[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
