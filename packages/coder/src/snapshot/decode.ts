import { fail, ok, type Result, tryOr } from "@pith/kit";

/** Ways to read the bytes of a text file. Each is lossless: encoding a text that was decoded gives the same bytes. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "latin1" | "windows-1252";

/** True for an encoding in which each byte is a character: no bytes are wrong, so that it may be no text. */
export const isByteWise = (encoding: Encoding): boolean => encoding === "latin1" || encoding === "windows-1252";

export interface Decoded {
  /** Without the byte order mark. */
  text: string;
  encoding: Encoding;
  bom: "bom" | "no bom";
  /** Places in the text where four characters like `\xE9` stand for a byte that is no UTF-8. */
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

/** The other reading of the same bytes, where there is one that is text as well. */
export function otherwise(bytes: Uint8Array, { encoding, bom, text }: Decoded): Decoded | undefined {
  if (isByteWise(encoding)) {
    const { longer: _, ...mixed } = decodeMixed(bytes, bom);
    return { ...mixed, encoding: "utf-8", bom };
  }
  return encoding === "utf-8" && bom === "no bom" && text.length < bytes.length ? byteWise(viewOf(bytes)) : undefined;
}

/** The signs of Windows in the places of control characters that nobody uses; a few are empty there too. */
const windowsSigns = [..."€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ"];

const signs = windowsSigns.filter((sign) => sign > "\xff").join("");
const windowsSign = new RegExp(`[${signs}]`, "g");
const lostSign = /[\x80\x82-\x8c\x8e\x91-\x9c\x9e\x9f]/;

/**
 * Reads UTF-16 without a mark: every other byte of a text in Latin letters is zero. A third of it must be such letters,
 * and nothing a control character, to be taken for text and not for the numbers of a program.
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
    const none = `the file is not UTF-8 but treated as ${name}, which has no such character`;
    return odd ? fail("encoding", `holds "${odd[0]}", and ${none}`) : ok(Buffer.from(latin, "latin1"));
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
      text += `\\x${(view[at] ?? 0).toString(16).toUpperCase().padStart(2, "0")}`;
      from = at + 1;
    }
    at += length || 1;
  }
  return { text: text + view.toString("utf8", from), bad, longer };
}

/** The number of bytes of the character at this place; 0 where none begins. */
function sequence(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const [low, high] = seconds[first] ?? [0x80, 0xbf];
  const second = bytes[at + 1] ?? 0;
  if (second < low || second > high) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** First bytes after which fewer second ones may come. */
const seconds: Readonly<Record<number, readonly [number, number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};

/** The bytes before the text. */
export const markOf = ({ encoding, bom }: Pick<Decoded, "encoding" | "bom">): Uint8Array =>
  bom === "bom" ? Uint8Array.from(marks.find(([known]) => known === encoding)?.[1] ?? []) : new Uint8Array();

const marks: readonly [Mark, ...Mark[]] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** Undefined for bytes that are no text in this encoding; the runtime's decoder passes over half a unit at the end. */
const strict = (encoding: Encoding, bytes: Uint8Array): string | undefined =>
  encoding.startsWith("utf-16") && bytes.length % 2 === 1
    ? undefined
    : tryOr(() => new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes));
