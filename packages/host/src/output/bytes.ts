export const empty: Uint8Array = new Uint8Array(0);
export const lf = 10;
export const cr = 13;

/** The end of the line that begins at `from`: behind its LF or CR, or the end of the bytes. */
export function lineEnd(bytes: Uint8Array, from: number): number {
  for (let end = from; end < bytes.length; end++) if (bytes[end] === lf || bytes[end] === cr) return end + 1;
  return bytes.length;
}

/** The bytes with every CR turned into an LF. */
export const asLines = (bytes: Uint8Array): Uint8Array =>
  bytes.includes(cr) ? bytes.map((byte) => (byte === cr ? lf : byte)) : bytes;
