import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expandHome } from "@pith/kit";
import type { ScreenContext } from "../context.ts";

/** Programs that hand out a picture of the clipboard, by what has to be there for them. */
const readers: readonly { when(context: ScreenContext): boolean; command: readonly string[] }[] = [
  { when: ({ io }) => Boolean(io.env.WAYLAND_DISPLAY), command: ["wl-paste", "--no-newline", "--type", "image/png"] },
  { when: ({ io }) => Boolean(io.env.DISPLAY), command: ["xclip", "-selection", "clipboard", "-t", "image/png", "-o"] },
  { when: () => process.platform === "darwin", command: ["pngpaste", "-"] },
];
const mostBytes = 10 * 1024 * 1024;

/** The picture that is in the clipboard goes to where somebody types. */
export async function pastePicture(context: ScreenContext): Promise<void> {
  const reader = readers.find(({ when }) => when(context));
  const image = reader && (await read(reader.command));
  if (image) {
    context.composer.attach("image", {
      type: "image",
      data: Buffer.from(image).toString("base64"),
      mimeType: "image/png",
    });
    context.screen.now();
  } else
    context.say(
      "info",
      "No picture was pasted: there is none in the clipboard, or no program to read it (wl-paste, xclip, pngpaste).",
    );
}

async function read(command: readonly string[]): Promise<Uint8Array | undefined> {
  try {
    const child = Bun.spawn([...command], { stdin: "ignore", stdout: "pipe", stderr: "ignore", timeout: 5000 });
    const bytes = new Uint8Array(await new Response(child.stdout).arrayBuffer());
    const png = bytes[0] === 0x89 && bytes[1] === 0x50 && bytes.length <= mostBytes;
    return (await child.exited) === 0 && png ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** What a terminal types when a picture is dropped on it: its path, quoted in one way or another. */
export function droppedPicture(text: string, { io }: ScreenContext): string | undefined {
  const word = text.trim();
  if (word === "" || word.length > 4096 || word.includes("\n") || !/\.(?:png|jpe?g|gif|webp)['"]?$/i.test(word))
    return undefined;
  const bare = word.replace(/^(['"])(.*)\1$/, "$2");
  const path = bare.startsWith("file://")
    ? fromUrl(bare)
    : expandHome(bare === word ? bare.replace(/\\(.)/g, "$1") : bare, io.userHome);
  if (path === undefined || !path.startsWith("/")) return undefined;
  try {
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

function fromUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/** It is attached as a picture; what turns out to be none stays the text that came. */
export async function takeDropped(context: ScreenContext, path: string, text: string): Promise<void> {
  const named = `@"${path}"`;
  // Too early to look at it: it will be, when it is sent.
  const taken = context.coder ? await context.coder.draft.attach(named).catch(() => undefined) : undefined;
  const images = taken?.images ?? [];
  if (!context.coder) context.composer.insert(`${named} `);
  else if (images.length === 0) context.composer.insert(text);
  for (const image of images) context.composer.attach("image", image);
  context.screen.now();
}
