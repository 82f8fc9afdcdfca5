import { fail, ok, type Result } from "@pith/kit";

/** How the bytes of a text file become text. Each one is lossless: encoding what was decoded gives the same bytes. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1" | "windows-1252";

/** Each byte is a character: no bytes are wrong in it, so it may be text in something else, or no text. */
export const isByteWise = (encoding: Encoding): boolean => encoding === "latin1" || encoding === "windows-1252";

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
  if (view.includes(0)) return unmarked(view) ?? fail("binary", "is binary (it holds NUL bytes)");
  const text = strict("utf-8", bytes);
  if (text !== undefined) return ok({ text, encoding: "utf-8", bom: "no bom" });
  const latin = view.toString("latin1");
  const windows = latin.replace(/[\x80-\x9f]/g, (sign) => windowsSigns[sign.charCodeAt(0) - 0x80] ?? sign);
  return ok({ text: windows, encoding: windows === latin ? "latin1" : "windows-1252", bom: "no bom" });
}

/** Where Latin-1 has control characters nobody uses, Windows has signs; a few of the places are empty there too. */
const windowsSigns = [..."€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"];

const signs = windowsSigns.filter((sign) => sign > "\xff").join("");
const windowsSign = new RegExp(`[${signs}]`, "g");
const lostSign = /[\x80\x82-\x8c\x8e\x91-\x9c\x9e\x9f]/;

/**
 * UTF-16 without a mark: every other byte of what people write with Latin letters is zero. A third of it must be such
 * letters, and nothing of it a control character, to be taken for text and not for the numbers of a program.
 */
function unmarked(bytes: Buffer): Result<Decoded, "binary"> | undefined {
  if (bytes.length < 8 || bytes.length % 2 === 1) return undefined;
  const zeros = [0, 0];
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even > 0 && odd > 0) return undefined;
  const encoding = odd > 0 ? "utf-16le" : "utf-16be";
  const text = (even + odd) * 6 < bytes.length ? undefined : strict(encoding, bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text === undefined || /[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffe\uffff]/.test(text)
    ? undefined
    : ok({ text, encoding, bom: "no bom" });
}

/** The bytes of a piece of text; fails when the encoding has no way to write it. */
export function encode(text: string, encoding: Encoding): Result<Uint8Array, "encoding"> {
  if (encoding === "utf-8")
    return text.isWellFormed() ? ok(Buffer.from(text, "utf8")) : fail("encoding", "holds half of a surrogate pair");
  if (isByteWise(encoding)) {
    const latin =
      encoding === "latin1"
        ? text
        : text.replace(windowsSign, (sign) => String.fromCharCode(0x80 + windowsSigns.indexOf(sign)));
    // A control character of Latin-1 would come back as the sign that has its place.
    const odd = /[^\0-\xff]/u.exec(latin) ?? (encoding === "windows-1252" ? lostSign.exec(text) : null);
    const name = encoding === "latin1" ? "Latin-1" : "Windows-1252";
    return odd
      ? fail(
          "encoding",
          `holds "${odd[0]}", and the file is not UTF-8 but treated as ${name}, which has no such character`,
        )
      : ok(Buffer.from(latin, "latin1"));
  }
  const little = Buffer.from(text, "utf16le");
  return ok(encoding === "utf-16le" ? little : little.swap16());
}

/** The bytes before the text. */
export const markOf = ({ encoding, bom }: Pick<Decoded, "encoding" | "bom">): Uint8Array =>
  bom === "bom" ? Uint8Array.from(marks.find(([known]) => known === encoding)?.[1] ?? []) : new Uint8Array();

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
