import { crc32 } from "node:zlib";
import type { Cutter, Framing } from "./framing.ts";

/**
 * AWS's binary event stream: length, length of the headers, their checksum, headers, payload, checksum of all. The
 * payload of an event is passed on as it is, that of an exception under the exception's name.
 */
export const awsEventStream: Framing = () => new EventStreamCutter();

class EventStreamCutter implements Cutter {
  /** Pieces of an incomplete frame, and the bytes missing before it can be read. */
  #rest: Uint8Array[] = [];
  #missing = 0;
  #announced = 0;
  /** After a wrong frame nothing can be read. */
  #broken = false;
  /** Headers of the last frame and the exception they name; most frames have the same headers. */
  #headers: Uint8Array = new Uint8Array(0);
  #exception = "";

  /** Length that a frame announces; its checksum has been verified. */
  get held(): number {
    return this.#announced;
  }

  push(bytes: Uint8Array): string[] {
    const payloads: string[] = [];
    if (this.#broken) return payloads;
    this.#missing -= bytes.length;
    if (this.#missing > 0) {
      // A copy, because the runtime may reuse the buffer.
      this.#rest.push(bytes.slice());
      return payloads;
    }
    const data = this.#rest.length === 0 ? bytes : join([...this.#rest, bytes]);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    let at = 0;
    while (data.length - at >= prelude) {
      const length = view.getUint32(at);
      const body = at + prelude + view.getUint32(at + 4);
      const whole = data.length - at >= length;
      // A complete frame is verified by all of its bytes; an incomplete one by the checksum of its length.
      const end = whole ? at + length - 4 : at + 8;
      if (at + length - 4 < body || crc32(data.subarray(at, end)) !== view.getUint32(end)) return this.#break(payloads);
      if (!whole) break;
      const payload = end === body ? "{}" : utf8.decode(data.subarray(body, end));
      const exception = this.#exceptionIn(data, at + prelude, body);
      payloads.push(exception === "" ? payload : `{${JSON.stringify(exception)}:${payload}}`);
      at += length;
    }
    const left = data.length - at;
    this.#rest = left === 0 ? [] : [data.slice(at)];
    // A length verified above.
    this.#announced = left >= prelude ? view.getUint32(at) : left;
    this.#missing = left >= prelude ? this.#announced - left : 0;
    return payloads;
  }

  end(): string | undefined {
    return undefined;
  }

  #exceptionIn(data: Uint8Array, start: number, end: number): string {
    if (!sameBytes(this.#headers, data, start, end)) {
      this.#headers = data.slice(start, end);
      this.#exception = exceptionIn(this.#headers);
    }
    return this.#exception;
  }

  #break(payloads: string[]): string[] {
    this.#broken = true;
    payloads.push('{"frameError":{"message":"the server sent a frame whose checksum is wrong"}}');
    return payloads;
  }
}

const prelude = 12;
const utf8 = new TextDecoder();

/** Name of the exception, "" for an event; other headers are skipped. */
function exceptionIn(headers: Uint8Array): string {
  const view = new DataView(headers.buffer, headers.byteOffset, headers.byteLength);
  let name = "";
  for (let at = 0; at < headers.length; ) {
    const length = headers[at] ?? 0;
    const key = utf8.decode(headers.subarray(at + 1, at + 1 + length));
    at += 1 + length;
    const type = headers[at] ?? 0;
    at += 1;
    const fixed = fixedSizes[type];
    if (fixed !== undefined) {
      at += fixed;
      continue;
    }
    if (at + 2 > headers.length) break;
    const size = view.getUint16(at);
    if (key === ":exception-type" || key === ":error-code") name = utf8.decode(headers.subarray(at + 2, at + 2 + size));
    at += 2 + size;
  }
  return name;
}

/** Bytes of a header value by type; strings and byte arrays have a length of their own. */
const fixedSizes: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

function sameBytes(known: Uint8Array, data: Uint8Array, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let i = 0; i < known.length; i++) if (known[i] !== data[start + i]) return false;
  return true;
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
