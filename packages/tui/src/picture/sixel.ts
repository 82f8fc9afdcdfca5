import { decodePng } from "./png.ts";

/** A PNG in sixel form, in a box of pixels; nothing if it cannot be read. */
export function sixelOf(png: Uint8Array, maxWidth: number, maxHeight: number): string {
  const pixels = decodePng(png);
  if (!pixels) return "";
  const scale = Math.min(1, maxWidth / pixels.width, maxHeight / pixels.height);
  const [width, height] = [
    Math.max(1, Math.floor(pixels.width * scale)),
    Math.max(1, Math.floor(pixels.height * scale)),
  ];
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = (Math.floor(y / scale) * pixels.width + Math.floor(x / scale)) * 4;
      rgba.set(pixels.rgba.subarray(from, from + 4), (y * width + x) * 4);
    }
  return sixel(rgba, width, height);
}

/** Pixels as sixel text: at most 216 colours (a 6×6×6 cube), runs joined. */
export function sixel(rgba: Uint8Array, width: number, height: number): string {
  const index = new Uint8Array(width * height);
  const used = new Set<number>();
  for (let at = 0; at < index.length; at++) {
    const level = (channel: number) => Math.round(((rgba[at * 4 + channel] ?? 0) / 255) * 5);
    const colour = (rgba[at * 4 + 3] ?? 255) < 128 ? 255 : level(0) * 36 + level(1) * 6 + level(2);
    index[at] = colour;
    if (colour !== 255) used.add(colour);
  }
  let out = `\x1bP0;1;0q"1;1;${width};${height}`;
  for (const colour of used)
    out += `#${colour};2;${Math.floor(colour / 36) * 20};${(Math.floor(colour / 6) % 6) * 20};${(colour % 6) * 20}`;
  // No new line behind the last one: at the end of a window it would scroll.
  for (let top = 0; top < height; top += 6) out += `${top > 0 ? "-" : ""}${band(index, width, height, top)}`;
  return `${out}\x1b\\`;
}

function band(index: Uint8Array, width: number, height: number, top: number): string {
  const rows = new Map<number, Uint8Array>();
  for (let y = top; y < Math.min(top + 6, height); y++)
    for (let x = 0; x < width; x++) {
      const colour = index[y * width + x] ?? 255;
      if (colour === 255) continue;
      const bits = rows.get(colour) ?? new Uint8Array(width);
      bits[x] = (bits[x] ?? 0) | (1 << (y - top));
      rows.set(colour, bits);
    }
  return [...rows].map(([colour, bits]) => `#${colour}${runs(bits)}`).join("$");
}

function runs(bits: Uint8Array): string {
  let out = "";
  for (let at = 0; at < bits.length; ) {
    let end = at + 1;
    while (end < bits.length && bits[end] === bits[at]) end++;
    const char = String.fromCharCode(63 + (bits[at] ?? 0));
    out += end - at > 3 ? `!${end - at}${char}` : char.repeat(end - at);
    at = end;
  }
  return out;
}
