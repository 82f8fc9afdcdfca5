import { isUtf8 } from "node:buffer";

// Names are bytes. In one that is no UTF-8, each odd byte stands as one of the last characters there are, which nobody
// uses; should a name hold one of those after all, its bytes are odd too.
const first = 0x10ff00;
const odd = /[\u{10ff80}-\u{10ffff}]/u;

export function nameOf(bytes: Buffer): string {
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

export function bytesOf(name: string): Buffer {
  if (!odd.test(name)) return Buffer.from(name);
  return Buffer.concat(
    Array.from(name, (letter) =>
      odd.test(letter) ? Buffer.from([(letter.codePointAt(0) ?? first) - first]) : Buffer.from(letter),
    ),
  );
}

/** A path as the system takes it. */
export const onDisk = (path: string): string | Buffer => (odd.test(path) ? bytesOf(path) : path);
