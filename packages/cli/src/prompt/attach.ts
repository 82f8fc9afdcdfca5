import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { codeOf, expandHome, fail, formatBytes, messageOf, ok, type Result } from "@pith/kit";
import type { Image } from "@pith/llm";
import { maxTextBytes, readUpTo, textOf } from "./read.ts";

/** A file named with `@`: its text in a labelled block, or an image beside the prompt. */
export type Attachment = { path: string; text: string } | { path: string; image: Image };

export async function attach(
  name: string,
  from: { cwd: string; userHome: string },
): Promise<Result<Attachment, "usage">> {
  const path = resolve(from.cwd, expandHome(name, from.userHome));
  try {
    const info = await stat(path);
    if (info.isDirectory())
      return fail("usage", `@${name} is a directory; name a file, or name the directory in the prompt without @`);
    // A pipe is what @<(command) gives.
    if (!info.isFile() && !info.isFIFO()) return fail("usage", `@${name} is neither a file nor a pipe`);
    const bytes = await readUpTo(createReadStream(path), maxImageBytes);
    return bytes === "too large" ? fail("usage", tooLarge(name, maxImageBytes)) : attachmentOf(name, bytes);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") return fail("usage", `@${name} cannot be read: ${messageOf(error)}`);
    const hint = /\s/.test(name) ? "; give the file as an argument of its own, apart from the prompt" : "";
    return fail("usage", `@${name}: no such file${hint}`);
  }
}

const maxImageBytes = 10 * 1024 * 1024;

function attachmentOf(path: string, bytes: Uint8Array): Result<Attachment, "usage"> {
  const mimeType = imageType(bytes);
  if (mimeType) return ok({ path, image: { type: "image", data: Buffer.from(bytes).toString("base64"), mimeType } });
  const text = textOf(bytes);
  if (text === undefined) return fail("usage", `@${path} is neither text nor a PNG, JPEG, GIF or WebP image`);
  return bytes.length > maxTextBytes ? fail("usage", tooLarge(path, maxTextBytes)) : ok({ path, text });
}

const tooLarge = (name: string, max: number) =>
  `@${name} is larger than ${formatBytes(max)}; name it in the prompt without @, so that it is read in parts`;

// By content, not by name: a name may lie, and the server would refuse the request.
const images: readonly { mimeType: string; begins: readonly (readonly [number, string])[] }[] = [
  { mimeType: "image/png", begins: [[0, "\x89PNG\r\n\x1a\n"]] },
  { mimeType: "image/jpeg", begins: [[0, "\xff\xd8\xff"]] },
  { mimeType: "image/gif", begins: [[0, "GIF8"]] },
  {
    mimeType: "image/webp",
    begins: [
      [0, "RIFF"],
      [8, "WEBP"],
    ],
  },
];

function imageType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  return images.find(({ begins }) => begins.every(([at, what]) => start.startsWith(what, at)))?.mimeType;
}
