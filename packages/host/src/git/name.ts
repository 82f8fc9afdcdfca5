import { isUtf8 } from "node:buffer";

// Names are bytes. A byte that is no UTF-8 is written as one of the last Unicode characters, which nobody uses. A name
// that holds such a character after all is written byte by byte.
const first = 0x10ff00;
const odd = /[\u{10ff80}-\u{10ffff}]/u;

/** A name of the file system as a string, which `encodeName` turns back into the same bytes. */
export function decodeName(bytes: Buffer): string {
  if (isUtf8(bytes)) {
    const name = bytes.toString();
    if (!odd.test(name)) return name;
  }
  let name = "";
  for (let at = 0; at < bytes.length; ) {
    const whole = [1, 2, 3, 4].find((n) => at + n <= bytes.length && isUtf8(bytes.subarray(at, at + n)));
    const letter = whole === undefined ? "" : bytes.toString("utf8", at, at + whole);
    const plain = whole !== undefined && !odd.test(letter);
    name += plain ? letter : String.fromCodePoint(first + (bytes[at] ?? 0));
    at += plain ? whole : 1;
  }
  return name;
}

export function encodeName(name: string): Buffer {
  if (!odd.test(name)) return Buffer.from(name);
  const encode = (letter: string) =>
    odd.test(letter) ? Buffer.from([(letter.codePointAt(0) ?? first) - first]) : Buffer.from(letter);
  return Buffer.concat(Array.from(name, encode));
}

/** A path for calls of the file system. */
export const onDisk = (path: string): string | Buffer => (odd.test(path) ? encodeName(path) : path);
