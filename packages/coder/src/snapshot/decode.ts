import { fail, ok, type Result } from "@pith/kit";

/** How the bytes of a text file become text. Each one is lossless: encoding what was decoded gives the same bytes. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1";

export interface Decoded {
  /** Without the byte order mark. */
  text: string;
  encoding: Encoding;
  bom: "bom" | "no bom";
}

export function decode(bytes: Uint8Array): Result<Decoded, "binary"> {
  for (const [encoding, mark] of marks) {
    if (!mark.every((byte, at) => bytes[at] === byte)) continue;
    const text = strict(encoding, bytes.subarray(mark.length));
    if (text !== undefined) return ok({ text, encoding, bom: "bom" });
    if (encoding !== "utf-8") return fail("binary", `begins like ${encoding} text but is not valid ${encoding}`);
  }
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.includes(0)) return fail("binary", "is binary (it holds NUL bytes)");
  const text = strict("utf-8", bytes);
  return ok(text === undefined ? { text: view.toString("latin1"), encoding: "latin1", bom: "no bom" } : { text, encoding: "utf-8", bom: "no bom" });
}

/** The bytes of a piece of text; fails when the encoding has no way to write it. */
export function encode(text: string, encoding: Encoding): Result<Uint8Array, "encoding"> {
  if (encoding === "utf-8") return text.isWellFormed() ? ok(Buffer.from(text, "utf8")) : fail("encoding", "holds half of a surrogate pair");
  if (encoding === "latin1") {
    const odd = /[^\0-\xff]/u.exec(text);
    return odd
      ? fail("encoding", `holds "${odd[0]}", and the file is not UTF-8 but treated as Latin-1, which has no such character`)
      : ok(Buffer.from(text, "latin1"));
  }
  const little = Buffer.from(text, "utf16le");
  return ok(encoding === "utf-16le" ? little : little.swap16());
}

/** The bytes before the text. */
export const markOf = ({ encoding, bom }: Pick<Decoded, "encoding" | "bom">): Uint8Array =>
  bom === "bom" ? Uint8Array.from(marks.find(([own]) => own === encoding)?.[1] ?? []) : new Uint8Array();

const marks: readonly (readonly [Encoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

function strict(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
