import { zlib } from "@pith/kit";

/** A picture with a palette: one byte per pixel. */
export interface PalettePicture {
  width: number;
  height: number;
  pixels: Uint8Array;
  /** At most 16, as 0xRRGGBB. */
  colours: readonly number[];
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Text compresses well: a higher level gains little and takes twice as long. */
const level = 4;

/** Encodes a PNG with a palette, two pixels per byte. Equal pictures give equal bytes. */
export function encodePng({ width, height, pixels, colours }: PalettePicture): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([4, 3, 0, 0, 0], 8);
  const palette = Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const data = zlib().deflateSync(packed(width, height, pixels), { level });
  const end = chunk("IEND", Buffer.alloc(0));
  return Buffer.concat([signature, chunk("IHDR", head), chunk("PLTE", palette), chunk("IDAT", data), end]);
}

/** Rows of four-bit pixels, each behind a zero (no filter). */
function packed(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const stride = 1 + Math.ceil(width / 2);
  const rows = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x;
      const right = x + 1 < width ? (pixels[at + 1] as number) : 0;
      rows[y * stride + 1 + (x >> 1)] = ((pixels[at] as number) << 4) | right;
    }
  return rows;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const made = Buffer.alloc(body.length + 8);
  made.writeUInt32BE(data.length, 0);
  made.set(body, 4);
  made.writeUInt32BE(zlib().crc32(body), body.length + 4);
  return made;
}
