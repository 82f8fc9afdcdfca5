// Makes the glyphs for history drawn as pictures from a font of Debian's xfonts-base (misc-fixed, public domain):
//   apt-get download xfonts-base && dpkg -x xfonts-base_*.deb fonts
//   node bin/bun scripts/gen/glyphs.ts fonts/usr/share/fonts/X11/misc
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { root } from "../gate/tree.ts";

const data = join(root, "packages/agent/src/compact/strategy/snap/data");
const font = { name: "5x8", width: 5, height: 8, ascent: 7 };

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: glyphs.ts <folder with 5x8.pcf.gz>\n");
  process.exit(2);
}
const glyphs = readFont(gunzipSync(readFileSync(join(folder, `${font.name}.pcf.gz`))), font);
const lines = [...glyphs].sort(([a], [b]) => a - b).map(([code, rows]) => `${code.toString(16)} ${hex(rows)}`);
writeFileSync(join(data, `${font.name}.txt`), `${lines.join("\n")}\n`);
process.stdout.write(`${font.name}: ${lines.length} glyphs\n`);

function hex(rows: readonly number[]): string {
  return rows.map((row) => row.toString(16).padStart(2, "0")).join("");
}

/** Glyphs of a PCF file by code point: a number per row, with the leftmost pixel in the highest bit of `width`. */
function readFont(file: Buffer, cell: { width: number; height: number; ascent: number }): Map<number, number[]> {
  const tables = new Map<number, { format: number; at: number }>();
  for (let index = 0; index < file.readUInt32LE(4); index++) {
    const entry = 8 + index * 16;
    tables.set(file.readUInt32LE(entry), { format: file.readUInt32LE(entry + 4), at: file.readUInt32LE(entry + 12) });
  }
  const metrics = readMetrics(file, table(tables, 4));
  const bitmaps = readBitmaps(file, table(tables, 8));
  const glyphs = new Map<number, number[]>();
  for (const [code, index] of readCodes(file, table(tables, 32))) {
    const metric = metrics[index];
    if (metric === undefined || code === 0) continue;
    const rows = new Array<number>(cell.height).fill(0);
    const height = metric.ascent + metric.descent;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < metric.right - metric.left; x++) {
        const [column, row] = [metric.left + x, cell.ascent - metric.ascent + y];
        if (!bitmaps.pixel(index, x, y) || column < 0 || column >= cell.width || row < 0 || row >= cell.height)
          continue;
        rows[row] = (rows[row] ?? 0) | (1 << (cell.width - 1 - column));
      }
    glyphs.set(code, rows);
  }
  return glyphs;
}

function table(tables: ReadonlyMap<number, { format: number; at: number }>, type: number) {
  const found = tables.get(type);
  if (!found) throw new Error(`the font has no table ${type}`);
  return found;
}

interface Table {
  format: number;
  at: number;
}

/** Reads numbers of a table in the byte order that its format says. */
function reader(file: Buffer, { format, at }: Table) {
  const big = (format & 4) !== 0;
  return {
    u16: (offset: number) => (big ? file.readUInt16BE(at + offset) : file.readUInt16LE(at + offset)),
    i16: (offset: number) => (big ? file.readInt16BE(at + offset) : file.readInt16LE(at + offset)),
    u32: (offset: number) => (big ? file.readUInt32BE(at + offset) : file.readUInt32LE(at + offset)),
    u8: (offset: number) => file.readUInt8(at + offset),
  };
}

function readMetrics(file: Buffer, found: Table) {
  const { u16, i16, u32, u8 } = reader(file, found);
  const compressed = (found.format & 0x100) !== 0;
  const count = compressed ? u16(4) : u32(4);
  return Array.from({ length: count }, (_, index) => {
    const at = compressed ? 6 + index * 5 : 8 + index * 12;
    const field = (number: number) => (compressed ? u8(at + number) - 0x80 : i16(at + number * 2));
    return { left: field(0), right: field(1), ascent: field(3), descent: field(4) };
  });
}

function readBitmaps(file: Buffer, found: Table) {
  const { u32 } = reader(file, found);
  const { format, at } = found;
  const count = u32(4);
  const padding = 1 << (format & 3);
  const unit = 1 << ((format >> 4) & 3);
  const begin = at + 8 + count * 4 + 16;
  const size = (index: number) =>
    index + 1 < count ? u32(8 + (index + 1) * 4) : u32(8 + count * 4 + (format & 3) * 4);
  return {
    pixel(index: number, x: number, y: number): boolean {
      const from = u32(8 + index * 4);
      if (size(index) <= from) return false;
      // No glyph is wider than a byte; the format says which byte of a unit comes first.
      const byte = (format & 4) !== 0 ? 0 : unit - 1;
      const value = file.readUInt8(begin + from + y * padding + byte);
      const bit = (format & 8) !== 0 ? 7 - (x & 7) : x & 7;
      return ((value >> bit) & 1) === 1;
    },
  };
}

function readCodes(file: Buffer, found: Table): [code: number, index: number][] {
  const { u16 } = reader(file, found);
  const [first, last, firstPage, lastPage] = [u16(4), u16(6), u16(8), u16(10)];
  const codes: [number, number][] = [];
  for (let page = firstPage; page <= lastPage; page++)
    for (let low = first; low <= last; low++) {
      const index = u16(14 + ((page - firstPage) * (last - first + 1) + low - first) * 2);
      if (index !== 0xffff) codes.push([page * 256 + low, index]);
    }
  return codes;
}
