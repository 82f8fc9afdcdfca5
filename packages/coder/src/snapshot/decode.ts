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
  /** Of UTF-8 with bytes that are none: where in the text four characters like `\xE9` stand for such a byte. */
  bad?: readonly number[];
}

export function decode(bytes: Uint8Array): Result<Decoded, "binary"> {
  for (const [encoding, mark] of marks) {
    if (!startsWith(bytes, mark)) continue;
    const text = strict(encoding, bytes.subarray(mark.length));
    if (text !== undefined) return ok({ text, encoding, bom: "bom" });
    if (encoding !== "utf-8") return fail("binary", `begins like ${encoding} text but is not valid ${encoding}`);
  }
  const view = viewOf(bytes);
  if (view.includes(0)) return unmarked(view) ?? fail("binary", "is binary (it holds NUL bytes)");
  const text = strict("utf-8", bytes);
  if (text !== undefined) return ok({ text, encoding: "utf-8", bom: "no bom" });
  const bom = startsWith(bytes, marks[0][1]) ? "bom" : "no bom";
  const { longer, ...mixed } = decodeMixed(bytes, bom);
  // Text in UTF-8 with a few wrong bytes in it; where most of them are wrong, it was never UTF-8.
  if (bom === "bom" || longer >= mixed.bad.length) return ok({ ...mixed, encoding: "utf-8", bom });
  return ok(byteWise(view));
}

function byteWise(view: Buffer): Decoded {
  const latin = view.toString("latin1");
  const windows = latin.replace(/[\x80-\x9f]/g, (sign) => windowsSigns[sign.charCodeAt(0) - 0x80] ?? sign);
  return { text: windows, encoding: windows === latin ? "latin1" : "windows-1252", bom: "no bom" };
}

/** The other way in which the same bytes can be read, where there is one that is text as well. */
export function otherwise(bytes: Uint8Array, { encoding, bom, text }: Decoded): Decoded | undefined {
  if (isByteWise(encoding)) {
    const { longer: _, ...mixed } = decodeMixed(bytes, bom);
    return { ...mixed, encoding: "utf-8", bom };
  }
  return encoding === "utf-8" && bom === "no bom" && text.length < bytes.length ? byteWise(viewOf(bytes)) : undefined;
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

type Mark = readonly [Encoding, readonly number[]];

const startsWith = (bytes: Uint8Array, mark: readonly number[]): boolean =>
  mark.every((byte, at) => bytes[at] === byte);

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** UTF-8, with each byte that is none written as `\xE9`. `longer` are its sequences of several bytes. */
export function decodeMixed(bytes: Uint8Array, bom: Decoded["bom"]): { text: string; bad: number[]; longer: number } {
  const view = viewOf(bytes);
  const bad: number[] = [];
  let text = "";
  let longer = 0;
  let from = bom === "bom" ? 3 : 0;
  for (let at = from; at < view.length; ) {
    const length = sequence(view, at);
    if (length > 1) longer++;
    if (length === 0) {
      text += view.toString("utf8", from, at);
      bad.push(text.length);
      text += badByte(view[at] ?? 0);
      from = at + 1;
    }
    at += length || 1;
  }
  return { text: text + view.toString("utf8", from), bad, longer };
}

/** As a byte is shown that is no text. */
const badByte = (byte: number): string => `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`;

/** How many bytes the character at this place has; 0 where none begins. */
function sequence(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const form = forms.find(([from, to]) => first >= from && first <= to);
  if (!form) return 0;
  const [, , low, high, length] = form;
  const second = bytes[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** First byte from and to, second byte from and to, bytes of all. */
const forms: readonly (readonly [number, number, number, number, number])[] = [
  [0xc2, 0xdf, 0x80, 0xbf, 2],
  [0xe0, 0xe0, 0xa0, 0xbf, 3],
  [0xe1, 0xec, 0x80, 0xbf, 3],
  [0xed, 0xed, 0x80, 0x9f, 3],
  [0xee, 0xef, 0x80, 0xbf, 3],
  [0xf0, 0xf0, 0x90, 0xbf, 4],
  [0xf1, 0xf3, 0x80, 0xbf, 4],
  [0xf4, 0xf4, 0x80, 0x8f, 4],
];

/** The bytes before the text. */
export const markOf = ({ encoding, bom }: Pick<Decoded, "encoding" | "bom">): Uint8Array =>
  bom === "bom" ? Uint8Array.from(marks.find(([known]) => known === encoding)?.[1] ?? []) : new Uint8Array();

const marks: readonly [Mark, ...Mark[]] = [
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
