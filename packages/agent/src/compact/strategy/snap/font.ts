import table from "./data/5x8.txt" with { type: "text" };

/** Rows from top to bottom, the leftmost pixel in the highest of five bits. */
export type Glyphs = ReadonlyMap<number, Uint8Array>;

/** Pixels of a row of a glyph. */
export const glyphWidth = 5;

let read: Glyphs | undefined;

/** Every glyph there is, by code point. */
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

/** A line end. */
const lineEnd = 0xb6;

/**
 * A text as the glyphs that are drawn: runs of blanks are one, line ends a sign of their own, and what there is no
 * glyph for is spelled out. Nothing is dropped, and nothing that a screen would not show stays hidden.
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

/** What stands over the letter before it has no cell of its own. */
const isMark = (code: number): boolean => code >= 0x300 && code < 0x370;
