import { fail, formatBytes, messageOf, ok, type Result } from "@pith/kit";
import { readPart, readWhole } from "../fs/open.ts";
import { openImage } from "../platform.ts";

export interface Picture {
  data: Uint8Array;
  mimeType: string;
  width: number;
  height: number;
  /** The file itself, where the picture was made smaller or was written in another format for the model. */
  original?: { width: number; height: number; mimeType: string };
}

/** The type of a picture by its first bytes; undefined for anything else. */
export function pictureType(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, 12)).toString("latin1");
  return signatures.find(([signature]) => signature.test(text))?.[1];
}

/** Tells a picture by the first bytes of its file. */
export function isPicture(path: string): boolean {
  const head = readPart(path, 0, 12);
  return head !== undefined && pictureType(head) !== undefined;
}

const signatures: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes
  [/^\x89PNG\r\n\x1a\n/, "image/png"],
  [/^\xff\xd8\xff/, "image/jpeg"],
  [/^GIF8[79]a/, "image/gif"],
  [/^RIFF.{4}WEBP/s, "image/webp"],
  [/^BM.{4}\0\0\0\0/s, "image/bmp"],
];

const maxFile = 20 * 1024 * 1024;
/** Larger ones are made smaller by the vendors anyway, after they were paid for. */
const maxSide = 1568;
const maxSent = 1024 * 1024;
const maxPixels = 100_000_000;
/** Types that every vendor takes as they are. */
const welcome = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** A picture as it can be sent to a model. */
export async function readPicture(path: string, signal: AbortSignal): Promise<Result<Picture, "picture" | "aborted">> {
  const whole = readWhole(path, maxFile);
  if (!whole.ok && whole.kind === "large")
    return fail("picture", `${path}: is larger than the ${formatBytes(maxFile)} that a picture may have`);
  if (!whole.ok) return fail("picture", whole.message);
  const { bytes } = whole.value;
  const mimeType = pictureType(bytes) ?? "";
  try {
    const image = openImage(bytes);
    const { width, height } = await image.metadata();
    if (width * height > maxPixels)
      return fail("picture", `${path}: ${width}×${height} pixels are too many to be shown`);
    if (signal.aborted) return fail("aborted", "stopped");
    const scale = Math.min(1, maxSide / Math.max(width, height));
    const [small, tall] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    // Decoding proves that it can be decoded, also where nothing has to be changed.
    const drawn = image.resize(small, tall);
    if (scale === 1 && welcome.has(mimeType) && bytes.length <= maxSent) {
      await openImage(bytes).resize(1, 1).png().bytes();
      return ok({ data: bytes, mimeType, width, height });
    }
    const png = await drawn.png().bytes();
    const [data, sent] =
      png.length <= maxSent
        ? [png, "image/png"]
        : [await openImage(bytes).resize(small, tall).jpeg({ quality: 80 }).bytes(), "image/jpeg"];
    return ok({ data, mimeType: sent, width: small, height: tall, original: { width, height, mimeType } });
  } catch (thrown) {
    return fail("picture", `${path}: cannot be decoded as a picture (${messageOf(thrown)})`);
  }
}
