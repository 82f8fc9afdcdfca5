import table from "./data/5x8.txt" with { type: "text" };

/** Glyphs by code point: rows from top to bottom, the leftmost pixel in the highest of five bits. */
export type Glyphs = ReadonlyMap<number, Uint8Array>;

/** Pixels of a row of a glyph. */
export const glyphWidth = 5;

let read: Glyphs | undefined;

/** All glyphs, read on first use. */
export function allGlyphs(): Glyphs {
  read ??= new Map(
    table
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const [code = "", rows = ""] = line.split(" ");
        return [Number.parseInt(code, 16), Buffer.from(rows, "hex")];
      }),
  );
  return read;
}

/** Sign drawn for a line end. */
const lineEnd = 0xb6;

/**
 * Code points to draw for a text: runs of blanks become one, line ends a sign, and characters without a glyph are
 * spelled out. Nothing is dropped, so nothing invisible stays hidden.
 */
export function spelled(text: string): number[] {
  const glyphs = allGlyphs();
  const codes: number[] = [];
  const add = (code: number) => {
    if (glyphs.has(code) && code > 0x20 && code !== 0x7f && code !== 0xad && !isMark(code)) codes.push(code);
    else for (const letter of `\\u{${code.toString(16)}}`) codes.push(letter.codePointAt(0) as number);
  };
  for (const part of text.normalize("NFC").trim().split(/(\s+)/)) {
    if (/^\s/.test(part)) codes.push(part.includes("\n") ? lineEnd : 0x20);
    else for (const letter of part) add(letter.codePointAt(0) as number);
  }
  return codes;
}

/** True for combining marks, which have no cell of their own. */
const isMark = (code: number): boolean => code >= 0x300 && code < 0x370;
