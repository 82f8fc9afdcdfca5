import { extname } from "node:path";
import { type Outcome, refusal } from "@pith/agent";
import { formatBytes } from "@pith/kit";
import type { ReadOptions } from "./options.ts";
import { showText } from "./page.ts";
import type { FileTarget } from "./target.ts";

/** Shows a document as text. */
export async function showDocument(
  { files, display, room }: ReadOptions,
  { at, name, selector }: FileTarget,
  signal: AbortSignal,
): Promise<Outcome> {
  const { path, real } = at;
  const text = await files.document(real, signal);
  if (text.ok) return showText(text.value, selector, room(), { name, source: { path }, display });
  return refusal(
    text.kind === "aborted"
      ? `${name}: reading was stopped`
      : `[Cannot read ${extname(real).toLowerCase()} file: ${text.message.replace(`${real}: `, "")}]`,
  );
}

/** Shows a picture, for the model to look at. */
export async function showPicture(
  { files }: ReadOptions,
  { at, name }: FileTarget,
  signal: AbortSignal,
): Promise<Outcome> {
  const picture = await files.picture(at.real, signal);
  if (!picture.ok && picture.kind === "aborted") return refusal(`${name}: reading was stopped`);
  if (!picture.ok) return refusal(picture.message.replace(at.real, () => name));
  const { data, mimeType, width, height, original } = picture.value;
  const was = original ? `; the file is ${original.mimeType}, ${original.width}×${original.height}` : "";
  return {
    kind: "page",
    data: { path: name, bytes: files.stat(at.real)?.size ?? data.length },
    text: `[${name}] ${mimeType}, ${width}×${height}, ${formatBytes(data.length)}${was}`,
    images: [{ type: "image", data: Buffer.from(data).toString("base64"), mimeType }],
    meta: { source: { path: at.path } },
  };
}
