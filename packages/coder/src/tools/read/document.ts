import { extname } from "node:path";
import { type Outcome, refusal } from "@pith/agent";
import { readDocument, readPicture } from "@pith/host";
import { formatBytes, showPath } from "@pith/kit";
import { statOf } from "../../files/path.ts";
import { showText } from "./page.ts";
import type { ReadParts } from "./parts.ts";
import type { FileTarget } from "./target.ts";

/** A document as text; undefined when there is no such file, which others can say better. */
export async function showDocument(
  parts: ReadParts,
  target: FileTarget,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const { path } = target;
  if (!statOf(path)?.isFile()) return undefined;
  const name = showPath(parts.cwd, path);
  const read = await readDocument(path, signal);
  if (!read.ok && read.kind === "aborted") return refusal(`${name}: reading was stopped`);
  if (!read.ok)
    return refusal(`[Cannot read ${extname(path).toLowerCase()} file: ${read.message.replace(`${path}: `, "")}]`);
  return showText(read.value, target, parts.defaultLimit, { name, source: { path }, display: parts.display });
}

/** A picture for the model to look at. */
export async function showPicture(parts: ReadParts, path: string, signal: AbortSignal): Promise<Outcome> {
  const name = showPath(parts.cwd, path);
  const read = await readPicture(path, signal);
  if (!read.ok)
    return refusal(read.kind === "aborted" ? `${name}: reading was stopped` : read.message.replace(path, name));
  const { data, mimeType, width, height, original } = read.value;
  const was = original ? `; the file is ${original.mimeType}, ${original.width}×${original.height}` : "";
  return {
    kind: "page",
    data: { path: name, bytes: statOf(path)?.size ?? data.length },
    text: `[${name}] ${mimeType}, ${width}×${height}, ${formatBytes(data.length)}${was}`,
    images: [{ type: "image", data: Buffer.from(data).toString("base64"), mimeType }],
    meta: { source: { path } },
  };
}
