import { toPng } from "../platform.ts";
import type { ImageProtocol } from "../terminal/capability.ts";
import { oneLine } from "../text/clean.ts";
import { fit } from "../text/width.ts";
import { sixelOf } from "./sixel.ts";

// Pictures in rows. A picture is sent to the terminal once and placed many times; a row only carries a mark (or the
// terminal's own placeholder characters), so frames stay text and the ledger never sees a pixel.

export interface InlinePicture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly name: string;
}

/** Bytes of an image file as a picture no larger than a row of cells can use. Throws what is no image, or too large. */
export const loadPicture = async (bytes: Uint8Array, name: string): Promise<InlinePicture> => ({
  ...(await toPng(bytes, 1280, 640)),
  name,
});

export interface PictureStore {
  /**
   * Rows that show the picture in at most `columns` × `rows` cells. Their number never changes, with or without
   * pixels.
   */
  rows(picture: InlinePicture, columns: number, rows: number): readonly string[];
  /** Replaces marks on their way to the terminal. */
  readonly graphics: (row: string) => string;
  /** Forgets all pictures and takes them off the terminal. */
  clear(): void;
}

export interface PictureOptions {
  protocol: ImageProtocol;
  placeholders: boolean;
  /** Pictures kept on the terminal; the oldest beyond it become text. */
  budget: number;
  write(bytes: string): void;
  /** Pixels of one cell. */
  cell?: { width: number; height: number };
}

interface PlacedPicture {
  readonly id: number;
  readonly columns: number;
  readonly rows: number;
  live: boolean;
}

export function createPictures(options: PictureOptions): PictureStore {
  const { protocol, placeholders, budget, write } = options;
  const cell = options.cell ?? { width: 8, height: 16 };
  const known = new Map<InlinePicture, PlacedPicture>();
  const payload = new Map<number, string>();
  let next = 1;

  function box(picture: InlinePicture, columns: number, rows: number): { columns: number; rows: number } {
    const scale = Math.min(1, (columns * cell.width) / picture.width, (rows * cell.height) / picture.height);
    return {
      columns: Math.max(1, Math.min(columns, Math.ceil((picture.width * scale) / cell.width))),
      rows: Math.max(1, Math.min(rows, Math.ceil((picture.height * scale) / cell.height))),
    };
  }

  function admit(picture: InlinePicture, columns: number, rows: number): PlacedPicture {
    const placed = known.get(picture);
    const size = box(picture, columns, rows);
    if (placed?.columns === size.columns && placed.rows === size.rows) return placed;
    if (placed?.live) demote(placed);
    const made: PlacedPicture = { id: next++, ...size, live: protocol !== "off" && placed?.live !== false };
    known.set(picture, made);
    if (made.live) send(picture, made);
    const live = [...known.values()].filter((each) => each.live);
    for (const old of live.slice(0, Math.max(0, live.length - budget))) demote(old);
    return made;
  }

  function send(picture: InlinePicture, { id, columns, rows }: PlacedPicture) {
    if (protocol === "kitty") write(transmit(id, picture.png, placeholders ? `,U=1,c=${columns},r=${rows}` : ""));
    else if (protocol === "iterm2")
      payload.set(
        id,
        `\x1b]1337;File=inline=1;width=${columns};height=${rows};preserveAspectRatio=1:${Buffer.from(picture.png).toString("base64")}\x07`,
      );
    else payload.set(id, sixelOf(picture.png, columns * cell.width, rows * cell.height));
  }

  // Its pixels go, its rows stay: text of the same height takes their place.
  function demote(old: PlacedPicture) {
    old.live = false;
    payload.delete(old.id);
    if (protocol === "kitty") write(`\x1b_Ga=d,d=I,i=${old.id},q=2\x1b\\`);
  }

  function draw(picture: InlinePicture, columns: number, rows: number): string[] {
    const placed = admit(picture, columns, rows);
    if (!placed.live)
      return [
        fit(`[${oneLine(picture.name)} ${picture.width}×${picture.height}]`, columns),
        ...new Array<string>(placed.rows - 1).fill(""),
      ];
    if (protocol === "kitty" && placeholders)
      return Array.from({ length: placed.rows }, (_, row) => placeholderRow(placed.id, row, placed.columns));
    // In the last of its rows: all of them stand then, so nothing has to scroll for it, and nothing is written over it.
    return [...new Array<string>(placed.rows - 1).fill(""), mark(placed.id)];
  }

  function place(id: number): string {
    const placed = [...known.values()].find((each) => each.id === id);
    if (!placed?.live) return "";
    // Saved and restored around the picture: the painter's idea of where the cursor is stays true.
    const pixels =
      protocol === "kitty"
        ? `\x1b_Ga=p,i=${id},p=1,c=${placed.columns},r=${placed.rows},C=1,q=2\x1b\\`
        : (payload.get(id) ?? "");
    return `\x1b7${placed.rows > 1 ? `\x1b[${placed.rows - 1}A` : ""}${pixels}\x1b8`;
  }

  return {
    rows: draw,
    graphics: (row) => (row.includes(markOpen) ? row.replace(markPattern, (_, id: string) => place(Number(id))) : row),
    clear() {
      for (const each of known.values()) if (each.live) demote(each);
      known.clear();
    },
  };
}

// A colour that no text asks for, followed by nothing to see: it passes every guard as the harmless thing it is.
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

// Unicode placeholders: the character says "a piece of the picture", its marks where, the text colour which picture.
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
/** More rows than this have no placeholder. */
export const maxPictureRows = rowMarks.length;
