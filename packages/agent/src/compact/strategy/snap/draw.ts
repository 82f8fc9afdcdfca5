import { allGlyphs, glyphWidth, spelled } from "./font.ts";
import { encodePng } from "./png.ts";

/** A text to draw; its speaker is drawn before it, light on dark. */
export interface DrawnText {
  tag: string;
  text: string;
  ink: "dark" | "dim";
}

/** Layout of frames: what the models of a maker read best for the fewest tokens. */
export interface FrameStyle {
  name: "plain" | "coloured" | "dense";
  /** Pixels of a cell; the glyph is in its upper left corner. */
  cell: readonly [width: number, height: number];
  /** Pixels of a side; the maker's servers shrink larger images. */
  side: number;
  /** True if sentences alternate in colour. */
  sentences: boolean;
}

interface DrawnFrame {
  png: Buffer;
  columns: number;
  rows: number;
  /** Text on the frame. */
  text: string;
}

const white = 0;
const dark = 1;
const dim = 2;
const inks = [1, 3, 4, 5];
const colours = [0xffffff, 0x000000, 0x6a6a6a, 0x00408a, 0x7a1f00, 0x1f5a1f];
const sentenceEnds: ReadonlySet<number> = new Set([..."¶.!?"].map((letter) => letter.codePointAt(0) as number));
const stop = 0x2e;
/** Least height as a part of the width, so that no server gets a very flat image. */
const lowest = 4;

/** Cells of all texts in a row: glyph and colour; tags are inverted. */
export interface Cells {
  codes: Uint32Array;
  inks: Uint8Array;
}
const inverted = 0x80;

/** Columns and rows of a full frame. */
export const gridOf = ({ side, cell: [width, height] }: FrameStyle): { columns: number; rows: number } => ({
  columns: Math.floor(side / width),
  rows: Math.floor(side / height),
});

/** Lays texts out without gaps. */
export function layOut(pieces: readonly DrawnText[], shape: FrameStyle): Cells {
  const codes: number[] = [];
  const ink: number[] = [];
  let sentence = 0;
  const add = (code: number, colour: number) => {
    codes.push(code);
    ink.push(colour);
  };
  for (const piece of pieces) {
    for (const code of spelled(piece.tag)) add(code, dark | inverted);
    add(0x20, dark);
    const own = spelled(piece.text);
    for (let at = 0; at < own.length; at++) {
      const code = own[at] as number;
      add(code, piece.ink === "dim" ? dim : shape.sentences ? (inks[sentence % inks.length] as number) : dark);
      if (sentenceEnds.has(code) && (code !== stop || own[at + 1] === 0x20)) sentence++;
    }
    add(0x20, dark);
  }
  return { codes: Uint32Array.from(codes), inks: Uint8Array.from(ink) };
}

/** Draws the frame that begins with a cell. */
export function drawFrame(cells: Cells, from: number, shape: FrameStyle): DrawnFrame {
  const [across, down] = shape.cell;
  const glyphs = allGlyphs();
  const { columns, rows: most } = gridOf(shape);
  const count = Math.min(cells.codes.length - from, columns * most);
  const rows = Math.max(Math.ceil(count / columns), Math.ceil(most / lowest));
  const width = columns * across;
  const height = rows * down;
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < count; at++) {
    const ink = cells.inks[from + at] as number;
    const [paper, pen] = (ink & inverted) !== 0 ? [ink & ~inverted, white] : [white, ink];
    const corner = Math.floor(at / columns) * down * width + (at % columns) * across;
    if (paper !== white)
      for (let y = 0; y < down; y++) pixels.fill(paper, corner + y * width, corner + y * width + across);
    const strokes = glyphs.get(cells.codes[from + at] as number) ?? blank;
    for (let y = 0; y < strokes.length; y++)
      for (let row = strokes[y] as number, x = glyphWidth - 1; row !== 0; row >>= 1, x--)
        if (row & 1) pixels[corner + y * width + x] = pen;
  }
  const text = textOf(cells.codes.subarray(from, from + count));
  return { png: encodePng({ width, height, pixels, colours }), columns, rows, text };
}

const textOf = (codes: Uint32Array): string => codes.reduce((text, code) => text + String.fromCodePoint(code), "");

const blank = new Uint8Array();
