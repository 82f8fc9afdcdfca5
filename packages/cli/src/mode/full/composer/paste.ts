import { fileURLToPath } from "node:url";
import { expandHome, fileStat, tryOr } from "@pith/kit";
import type { ScreenContext } from "../context.ts";

/** Programs that read a picture from the clipboard, and the condition for each. */
const readers: readonly { when(context: ScreenContext): boolean; command: readonly string[] }[] = [
  { when: ({ io }) => Boolean(io.env.WAYLAND_DISPLAY), command: ["wl-paste", "--no-newline", "--type", "image/png"] },
  { when: ({ io }) => Boolean(io.env.DISPLAY), command: ["xclip", "-selection", "clipboard", "-t", "image/png", "-o"] },
  { when: () => process.platform === "darwin", command: ["pngpaste", "-"] },
];
const mostBytes = 10 * 1024 * 1024;

/** Attaches the picture in the clipboard. */
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

/** The path of a picture that was dropped on the terminal, which types it quoted in one way or another. */
export function droppedPicture(text: string, { io }: ScreenContext): string | undefined {
  const word = text.trim();
  if (word === "" || word.length > 4096 || word.includes("\n") || !/\.(?:png|jpe?g|gif|webp)['"]?$/i.test(word))
    return undefined;
  const bare = word.replace(/^(['"])(.*)\1$/, "$2");
  const path = bare.startsWith("file://")
    ? tryOr(() => fileURLToPath(bare))
    : expandHome(bare === word ? bare.replace(/\\(.)/g, "$1") : bare, io.userHome);
  return path?.startsWith("/") && fileStat(path)?.isFile() ? path : undefined;
}

/** Attaches a dropped picture; a file that is none is inserted as the text that came. */
export async function takeDropped(context: ScreenContext, path: string, text: string): Promise<void> {
  const named = `@"${path}"`;
  // Without a conversation it cannot be read yet; it is read when it is sent.
  const taken = context.coder ? await context.coder.draft.attach(named).catch(() => undefined) : undefined;
  const images = taken?.images ?? [];
  if (!context.coder) context.composer.insert(`${named} `);
  else if (images.length === 0) context.composer.insert(text);
  for (const image of images) context.composer.attach("image", image);
  context.screen.now();
}
