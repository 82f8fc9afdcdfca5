import { fileURLToPath } from "node:url";
import { type ContentBlock, RequestError } from "@agentclientprotocol/sdk";
import { picture, type UserInput } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { tryOr } from "@pith/kit";
import type { Image } from "@pith/llm";

/**
 * Makes one input of the blocks of a client. Files that it links come along as a person's `@file` would; embedded ones
 * are there already. Words alone may be a command, and are given as `typed`.
 */
export async function inputOf(
  blocks: readonly ContentBlock[],
  { draft }: Pick<Coder, "draft">,
): Promise<{ typed: string | undefined; input: UserInput }> {
  const words = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const typed = words.length === blocks.length ? words.join("\n") : undefined;
  const texts = blocks.map(textOf).filter((text) => text !== "");
  const input = await draft.attach(texts.join("\n\n"));
  const images = [...blocks.flatMap(imageOf), ...(input.images ?? [])];
  if (input.text.trim() === "" && images.length === 0)
    throw RequestError.invalidParams(undefined, "a prompt says something");
  if (images.some((image) => !picture.safeParse(image).success))
    throw RequestError.invalidParams(undefined, "an image is a PNG, JPEG, GIF or WebP in base64");
  return { typed, input: images.length > 0 ? { ...input, images } : input };
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource_link": {
      const path = pathOf(block.uri);
      return path === undefined ? `[${block.title ?? block.name}](${block.uri})` : `@${path}`;
    }
    case "resource": {
      const { resource } = block;
      if (!("text" in resource)) return "";
      const name = pathOf(resource.uri) ?? resource.uri;
      return `Contents of ${name} (already provided, no need to read it):\n${fenced(resource.text)}`;
    }
    default:
      return "";
  }
}

/** A fence that the text cannot close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n?$/, "\n")}${fence}`;
}

function imageOf(block: ContentBlock): Image[] {
  if (block.type === "image") return [{ type: "image", data: block.data, mimeType: block.mimeType }];
  if (block.type !== "resource" || !("blob" in block.resource)) return [];
  const { blob, mimeType } = block.resource;
  return mimeType?.startsWith("image/") ? [{ type: "image", data: blob, mimeType }] : [];
}

/** The path that an address of a file names. */
const pathOf = (uri: string): string | undefined =>
  uri.startsWith("file://") ? tryOr(() => fileURLToPath(uri)) : undefined;
