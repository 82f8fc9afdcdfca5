// Every call that only Bun has stands here, so that the rest of the package is plain TypeScript.
export const nativeWidth = (text: string): number => Bun.stringWidth(text);
export const nativeSlice = (text: string, from: number, to: number): string => Bun.sliceAnsi(text, from, to);
export const nativeStrip = (text: string): string => Bun.stripANSI(text);
export const hash32 = (text: string): number => Bun.hash.xxHash32(text);

/** More pixels than this are not looked at: a file of a few bytes can promise any number of them. */
const mostPixels = 50_000_000;

/** A picture as PNG no larger than the given pixel box. */
export async function toPng(
  bytes: Uint8Array,
  maxWidth: number,
  maxHeight: number,
): Promise<{ png: Uint8Array; width: number; height: number }> {
  const image = new Bun.Image(bytes);
  const { width, height } = await image.metadata();
  if (width * height > mostPixels) throw new Error(`${width}×${height} are too many pixels`);
  const scale = Math.min(1, maxWidth / width, maxHeight / height);
  const box = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
  const png = scale < 1 ? await image.resize(box.width, box.height).png().bytes() : await image.png().bytes();
  return { png, ...box };
}
