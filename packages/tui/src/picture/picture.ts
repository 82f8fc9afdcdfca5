import { toPng } from "../platform.ts";
import type { ImageProtocol } from "../terminal/capability.ts";
import { oneLine } from "../text/clean.ts";
import { fit } from "../text/width.ts";
import { sixelOf } from "./sixel.ts";

// A picture is sent to the terminal once and placed many times. A row only carries a mark (or the terminal's own
// placeholder characters), so frames stay text.

export interface InlinePicture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly name: string;
}

/** Reads an image file as a picture no larger than rows can use. Throws if it is none, or too large. */
export const loadPicture = async (bytes: Uint8Array, name: string): Promise<InlinePicture> => ({
  ...(await toPng(bytes, 1280, 640)),
  name,
});

export interface PictureStore {
  /** Rows that show a picture in at most `columns` × `rows` cells; as many with pixels as without. */
  rows(picture: InlinePicture, columns: number, rows: number): readonly string[];
  /** Replaces marks on their way to the terminal. */
  readonly graphics: (row: string) => string;
}

interface Pixels {
  readonly width: number;
  readonly height: number;
}

export interface PictureOptions {
  protocol: ImageProtocol;
  placeholders: boolean;
  /** Pictures kept on the terminal; the oldest beyond it become text. */
  budget: number;
  write(bytes: string): void;
  /** Pixels of one cell. */
  cell?: Pixels;
}

interface PlacedPicture {
  readonly id: number;
  readonly columns: number;
  readonly rows: number;
  /** The sequence that shows it where the cursor is; undefined once text has taken its place. */
  pixels: string | undefined;
}

export function createPictures(options: PictureOptions): PictureStore {
  const { protocol, placeholders, budget, write, cell = usualCell } = options;
  const known = new Map<InlinePicture, PlacedPicture>();
  let next = 1;

  function admit(picture: InlinePicture, columns: number, rows: number): PlacedPicture {
    const placed = known.get(picture);
    const size = boxFor(picture, columns, rows, cell);
    if (placed?.columns === size.columns && placed.rows === size.rows) return placed;
    const wasDemoted = placed !== undefined && placed.pixels === undefined;
    if (placed) demote(placed);
    const id = next++;
    const pixels = protocol === "off" || wasDemoted ? undefined : send(picture, { id, ...size }, options);
    const made: PlacedPicture = { id, ...size, pixels };
    known.set(picture, made);
    const live = [...known.values()].filter(({ pixels }) => pixels !== undefined);
    for (const old of live.slice(0, Math.max(0, live.length - budget))) demote(old);
    return made;
  }

  /** Takes the pixels away; text of the same height takes their place. */
  function demote(old: PlacedPicture) {
    if (old.pixels !== undefined && protocol === "kitty") write(`\x1b_Ga=d,d=I,i=${old.id},q=2\x1b\\`);
    old.pixels = undefined;
  }

  function draw(picture: InlinePicture, columns: number, rows: number): string[] {
    const placed = admit(picture, columns, rows);
    const blank = new Array<string>(placed.rows - 1).fill("");
    if (placed.pixels === undefined)
      return [fit(`[${oneLine(picture.name)} ${picture.width}×${picture.height}]`, columns), ...blank];
    if (protocol === "kitty" && placeholders)
      return Array.from({ length: placed.rows }, (_, row) => placeholderRow(placed.id, row, placed.columns));
    // In the last of its rows: all of them stand then, so nothing has to scroll for it, and nothing is written over it.
    return [...blank, mark(placed.id)];
  }

  function place(id: number): string {
    const placed = [...known.values()].find((each) => each.id === id);
    if (placed?.pixels === undefined) return "";
    // The cursor is saved and restored around the picture, so that it is where the painter takes it to be.
    return `\x1b7${placed.rows > 1 ? `\x1b[${placed.rows - 1}A` : ""}${placed.pixels}\x1b8`;
  }

  return {
    rows: draw,
    graphics: (row) => (row.includes(markOpen) ? row.replace(markPattern, (_, id: string) => place(Number(id))) : row),
  };
}

/** Sends a picture where the terminal keeps it; returns the sequence that shows it. */
function send(
  { png }: InlinePicture,
  { id, columns, rows }: Omit<PlacedPicture, "pixels">,
  { protocol, placeholders, write, cell = usualCell }: PictureOptions,
): string {
  if (protocol === "sixel") return sixelOf(png, columns * cell.width, rows * cell.height);
  if (protocol === "iterm2") {
    const data = Buffer.from(png).toString("base64");
    return `\x1b]1337;File=inline=1;width=${columns};height=${rows};preserveAspectRatio=1:${data}\x07`;
  }
  write(transmit(id, png, placeholders ? `,U=1,c=${columns},r=${rows}` : ""));
  return `\x1b_Ga=p,i=${id},p=1,c=${columns},r=${rows},C=1,q=2\x1b\\`;
}

const usualCell: Pixels = { width: 8, height: 16 };
type CellBox = Pick<PlacedPicture, "columns" | "rows">;

/** The cells that a picture takes of a box, no larger than it is. */
function boxFor({ width, height }: InlinePicture, columns: number, rows: number, cell: Pixels): CellBox {
  const scale = Math.min(1, (columns * cell.width) / width, (rows * cell.height) / height);
  return {
    columns: Math.max(1, Math.min(columns, Math.ceil((width * scale) / cell.width))),
    rows: Math.max(1, Math.min(rows, Math.ceil((height * scale) / cell.height))),
  };
}

// A mark is a colour that no text asks for, without a letter: every guard lets it pass.
const markOpen = "\x1b[58:2::112:105:";
const mark = (id: number) => `${markOpen}${id}m\x1b[59m`;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const markPattern = /\x1b\[58:2::112:105:(\d+)m\x1b\[59m/g;

const chunk = 4096;
function transmit(id: number, png: Uint8Array, extra: string): string {
  const base64 = Buffer.from(png).toString("base64");
  let out = "";
  for (let at = 0; at < base64.length; at += chunk) {
    const more = at + chunk < base64.length ? 1 : 0;
    const head = at === 0 ? `a=${extra ? "T" : "t"},f=100,i=${id},q=2${extra},m=${more}` : `m=${more}`;
    out += `\x1b_G${head};${base64.slice(at, at + chunk)}\x1b\\`;
  }
  return out;
}

// Unicode placeholders: a character for a piece of the picture, whose marks say where and whose colour says of which.
const piece = "\u{10eeee}";
function placeholderRow(id: number, row: number, columns: number): string {
  const first = piece + String.fromCodePoint(rowMarks[row] ?? 0x305, rowMarks[0] ?? 0x305);
  const colour = `38;2;${(id >> 16) & 255};${(id >> 8) & 255};${id & 255}`;
  return `\x1b[${colour}m${first}${piece.repeat(columns - 1)}\x1b[39m`;
}
const rowMarks = [
  0x305, 0x30d, 0x30e, 0x310, 0x312, 0x33d, 0x33e, 0x33f, 0x346, 0x34a, 0x34b, 0x34c, 0x350, 0x351, 0x352, 0x357, 0x35b,
  0x363, 0x364, 0x365, 0x366, 0x367, 0x368, 0x369, 0x36a, 0x36b, 0x36c, 0x36d, 0x36e, 0x36f, 0x483, 0x484, 0x485, 0x486,
  0x487, 0x592, 0x593, 0x594, 0x595, 0x597,
]; // biome-ignore format: a table of the protocol
