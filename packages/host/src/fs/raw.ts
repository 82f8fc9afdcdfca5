import { isUtf8 } from "node:buffer";
import { existsSync, lstatSync } from "node:fs";

/** A name as it is shown: bytes that are no UTF-8 character stand as `\xff`. */
export function shownName(bytes: Buffer): string {
  const text = bytes.toString();
  if (!text.includes("\ufffd")) return text;
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((count) => isCharacter(bytes.subarray(at, at + count)));
    pieces.push(
      length === undefined ? `\\x${bytes.toString("hex", at, at + 1)}` : bytes.toString("utf8", at, at + length),
    );
    at += length ?? 1;
  }
  return pieces.join("");
}

/** The same for a text of many names or lines: only those that are not UTF-8 are looked at closely. */
export function shownText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const ends = [bytes.indexOf(0, at), bytes.indexOf(10, at)].filter((end) => end !== -1);
    const end = ends.length === 0 ? bytes.length : Math.min(...ends) + 1;
    pieces.push(shownName(bytes.subarray(at, end)));
    at = end;
  }
  return pieces.join("");
}

const isCharacter = (bytes: Buffer): boolean =>
  bytes.length > 0 && [...bytes.toString()].length === 1 && Buffer.from(bytes.toString()).equals(bytes);

/**
 * The path in bytes, for a name that `shownName` has spelled and that no file has literally. Never through a link of
 * such a name: a check of where a path leads goes by its text, and would not see it.
 */
export function rawPath(path: string): string | Buffer {
  if (!byteEscape.test(path) || path.includes("\0") || existsSync(path)) return path;
  const names = path.split("/").map(rawName);
  const first = names.findIndex((part) => typeof part !== "string");
  const joined = (count: number) =>
    Buffer.concat(names.slice(0, count).flatMap((part, i) => [Buffer.from(i === 0 ? "" : "/"), Buffer.from(part)]));
  for (let count = first + 1; count <= names.length; count++) {
    const stat = lstatSync(joined(count), { throwIfNoEntry: false });
    if (!stat || stat.isSymbolicLink()) return path;
  }
  return joined(names.length);
}

const byteEscape = /\\x[89a-f][\da-f]/i;

/** A single name in bytes. */
export function rawName(name: string): string | Buffer {
  if (!byteEscape.test(name)) return name;
  const pieces = name.split(/(\\x[89a-f][\da-f])/i);
  return Buffer.concat(
    pieces.map((piece, i) => (i % 2 === 1 ? Buffer.from(piece.slice(2), "hex") : Buffer.from(piece))),
  );
}
