import type { ScanState, SecretSpan } from "./scan.ts";

/** Bytes that are looked at piece by piece; what comes out is whole lines, and the rest at the end. */
export interface MaskStream {
  push(chunk: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

export interface StreamSources {
  find(text: string, state: ScanState): SecretSpan[];
  name(value: string): string;
  /** Measures how much of a line without an end must be held back so that no known value is cut. */
  longest(): number;
}

const [lf, cr, space] = [10, 13, 32];
/** A longer line is let go in parts, between words. */
const longestLine = 64 * 1024;

/**
 * Masks a stream, however it is cut into chunks: a line is held until it has ended. Bytes are looked at as Latin-1,
 * which keeps every one of them.
 */
export function maskStream({ find, name, longest }: StreamSources): MaskStream {
  let held: Buffer = Buffer.alloc(0);
  const state: ScanState = { inKey: 0 };
  const masked = (bytes: Buffer): Uint8Array => {
    const text = bytes.toString("latin1");
    const hits = find(text, state);
    if (hits.length === 0) return bytes;
    return Buffer.from(
      named(text, hits, (value) => name(Buffer.from(value, "latin1").toString("utf8"))),
      "latin1",
    );
  };
  return {
    push(chunk) {
      const bytes = held.length === 0 ? asBuffer(chunk) : Buffer.concat([held, chunk]);
      const cut = ended(bytes, longest());
      held = Buffer.from(bytes.subarray(cut));
      return cut === 0 ? empty : masked(bytes.subarray(0, cut));
    },
    end() {
      const rest = held;
      held = Buffer.alloc(0);
      return rest.length === 0 ? empty : masked(rest);
    },
  };
}

/** The text with names in the places of what was found. */
export function named(text: string, hits: readonly SecretSpan[], name: (value: string) => string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of hits) {
    parts.push(text.slice(at, start), name(text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)].join("");
}

const empty = new Uint8Array();
const asBuffer = (chunk: Uint8Array): Buffer => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

/** Measures how many of the bytes are whole lines; in a line that does not end, whole words. */
function ended(bytes: Buffer, longest: number): number {
  const line = 1 + Math.max(bytes.lastIndexOf(lf), bytes.lastIndexOf(cr));
  if (bytes.length - line <= longestLine + longest) return line;
  const limit = bytes.length - longest - 4096;
  const gap = 1 + bytes.lastIndexOf(space, limit);
  return gap > line ? gap : limit;
}
