import { tooLong } from "@pith/kit";

/** A message behind a header that tells its length, as language servers and debug adapters write it. */
export const frameOf = (text: string): string => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;

/**
 * Cuts bytes into messages that each stand behind a header with their length. A message that is too long is dropped and
 * named; a header that tells no length ends all, because nothing behind it can be found.
 */
export async function* readFrames(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string | typeof tooLong> {
  const cutter = new FrameCutter(maxBytes);
  for await (const chunk of bytes) yield* cutter.push(chunk);
}

class FrameCutter {
  readonly #max: number;
  #held: Buffer = Buffer.alloc(0);
  /** Length of the message that is read; undefined while a header is. */
  #length: number | undefined;
  /** Bytes that are still to be dropped. */
  #drop = 0;

  constructor(max: number) {
    this.#max = max;
  }

  *push(chunk: Uint8Array): Generator<string | typeof tooLong> {
    this.#held = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : Buffer.from(chunk);
    for (let next = this.#next(); next !== undefined; next = this.#next()) yield next;
  }

  /** The next message, if all of it is there. */
  #next(): string | typeof tooLong | undefined {
    if (this.#drop > 0) return this.#dropped();
    this.#length ??= this.#header();
    const length = this.#length;
    if (length === undefined) return undefined;
    if (length > this.#max) {
      [this.#drop, this.#length] = [length, undefined];
      return this.#dropped();
    }
    if (this.#held.length < length) return undefined;
    this.#length = undefined;
    return this.#take(length).toString();
  }

  #header(): number | undefined {
    const end = this.#held.indexOf("\r\n\r\n");
    if (end === -1 && this.#held.length > maxHeader) throw new Error("its header does not end");
    return end === -1 ? undefined : lengthIn(this.#take(end + 4).toString("latin1"));
  }

  #dropped(): typeof tooLong | undefined {
    this.#drop -= this.#take(Math.min(this.#drop, this.#held.length)).length;
    return this.#drop === 0 ? tooLong : undefined;
  }

  #take(count: number): Buffer {
    const taken = this.#held.subarray(0, count);
    this.#held = this.#held.subarray(count);
    return taken;
  }
}

function lengthIn(header: string): number {
  const length = Number(/^content-length:[ \t]*(\d{1,15})[ \t]*$/im.exec(header)?.[1] ?? Number.NaN);
  if (!Number.isSafeInteger(length)) throw new Error("its header tells no length");
  return length;
}

const maxHeader = 8 * 1024;
