import { copyText } from "../../../../io/clipboard.ts";
import type { ScreenContext } from "../../context.ts";

/** Copies a text, and says how, or why not. */
export async function copied({ io, terminal }: ScreenContext, text: string): Promise<string> {
  const done = await copyText(text, {
    env: io.env,
    platform: process.platform,
    write: (bytes) => terminal.write(bytes),
  });
  return done.ok ? `Copied by ${done.value}.` : done.message;
}
