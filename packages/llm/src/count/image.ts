import type { Image } from "../message/message.ts";
import type { Model } from "../model/model.ts";

export interface ImageSize {
  width: number;
  height: number;
}

/** Tokens of an image, by the rule that the model's maker has published; every server shrinks larger ones. */
export function countImage(size: ImageSize, { id, vendor }: Pick<Model, "id" | "vendor">): number {
  const name = `${vendor}/${id}`.toLowerCase();
  return Math.ceil((rules.find(([known]) => known.test(name))?.[1] ?? other)(size));
}

type Rule = (size: ImageSize) => number;

const area = ({ width, height }: ImageSize): number => width * height;
const tiles = ({ width, height }: ImageSize, side: number): number =>
  Math.ceil(width / side) * Math.ceil(height / side);

/** Scales a size down until its longer side fits. */
function within(size: ImageSize, longest: number): ImageSize {
  return scaled(size, Math.min(1, longest / Math.max(size.width, size.height)));
}
const scaled = ({ width, height }: ImageSize, by: number): ImageSize => ({ width: width * by, height: height * by });

/** Counts tiles of 512 pixels, with the shorter side scaled to at most 768. */
const tiled =
  (base: number, each: number): Rule =>
  (size) => {
    const fit = within(size, 2048);
    return base + each * tiles(scaled(fit, Math.min(1, 768 / Math.min(fit.width, fit.height))), 512);
  };
/** Counts patches of 32 pixels, at most 1,536. */
const patched =
  (factor: number): Rule =>
  (size) =>
    factor * Math.min(1536, tiles(size, 32));

const other: Rule = (size) => Math.min(1280, area(within(size, 1536)) / (28 * 28));

const rules: readonly (readonly [RegExp, Rule])[] = [
  [/claude|anthropic/, (size) => Math.min(1600, area(within(size, 1568)) / 750)],
  [/gemini-[3-9]/, () => 1120],
  [/gemini|gemma/, (size) => (Math.max(size.width, size.height) <= 384 ? 258 : 258 * Math.min(16, tiles(size, 768)))],
  [/gpt-(5|4\.1)[\w.-]*-mini/, patched(1.62)],
  [/gpt-(5|4\.1)[\w.-]*-nano/, patched(2.46)],
  [/o4-mini/, patched(1.72)],
  [/gpt-5/, tiled(70, 140)],
  [/4o-mini/, tiled(2833, 5667)],
  [/\bo[13]\b/, tiled(75, 150)],
  [/gpt-|openai/, tiled(85, 170)],
];

/** Size assumed for an image whose header cannot be read. */
const usual: ImageSize = { width: 1024, height: 1024 };

/** Reads the size of an image from its first bytes, without decoding it. */
export function imageSize({ data }: Pick<Image, "data">): ImageSize {
  const bytes = Buffer.from(data.slice(0, headLength), "base64");
  const found = png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes);
  return found && found.width > 0 && found.height > 0 ? found : usual;
}

/** Base64 of 192 KiB: metadata before the size in a photograph is rarely longer. */
const headLength = 256 * 1024;
const begins = (bytes: Buffer, text: string, at = 0) => bytes.toString("latin1", at, at + text.length) === text;

const png = (bytes: Buffer): ImageSize | undefined =>
  bytes.length >= 24 && begins(bytes, "\x89PNG")
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined;
const gif = (bytes: Buffer): ImageSize | undefined =>
  bytes.length >= 10 && begins(bytes, "GIF8")
    ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
    : undefined;

function webp(bytes: Buffer): ImageSize | undefined {
  if (bytes.length < 30 || !begins(bytes, "RIFF") || !begins(bytes, "WEBP", 8)) return undefined;
  if (begins(bytes, "VP8X", 12)) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (begins(bytes, "VP8L", 12)) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

function jpeg(bytes: Buffer): ImageSize | undefined {
  if (!begins(bytes, "\xff\xd8")) return undefined;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}
