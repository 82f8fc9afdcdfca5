import { inflateSync } from "node:zlib";
import { tryOr } from "@pith/kit";

export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const channels: Record<number, number> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** Pixels of a PNG with 8 bits per channel and no interlace, as our own encoder makes it; undefined for any other. */
export function decodePng(png: Uint8Array): Pixels | undefined {
  if (png.length < 33 || png[1] !== 0x50) return undefined;
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const per = channels[png[25] ?? 9];
  if (png[24] !== 8 || per === undefined || png[28] !== 0) return undefined;
  const data: Uint8Array[] = [];
  for (let at = 8; at + 12 <= png.length; ) {
    const length = view.getUint32(at);
    if (view.getUint32(at + 4) === 0x49444154) data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  // Cut or broken data is a picture without pixels, not a crash while painting.
  const raw = tryOr(() => inflateSync(Buffer.concat(data)));
  return raw && { width, height, rgba: widen(unfilter(raw, width * per, height, per), per) };
}

/** Takes back the prediction of every line from the bytes to its left and above. */
function unfilter(raw: Uint8Array, stride: number, height: number, per: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const kind = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const left = x >= per ? (out[y * stride + x - per] ?? 0) : 0;
      const up = y > 0 ? (out[(y - 1) * stride + x] ?? 0) : 0;
      const corner = x >= per && y > 0 ? (out[(y - 1) * stride + x - per] ?? 0) : 0;
      out[y * stride + x] =
        (raw[y * (stride + 1) + 1 + x] ?? 0) + ([0, left, up, (left + up) >> 1][kind] ?? paeth(left, up, corner));
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function widen(data: Uint8Array, per: number): Uint8Array {
  if (per === 4) return data;
  const rgba = new Uint8Array((data.length / per) * 4);
  for (let from = 0, to = 0; from < data.length; from += per, to += 4) {
    const [a = 0, b = 0, c = 0] = data.subarray(from, from + per);
    rgba.set(per < 3 ? [a, a, a, per === 2 ? b : 255] : [a, b, c, 255], to);
  }
  return rgba;
}
