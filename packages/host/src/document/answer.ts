// Runs in a process of its own, which is given one path and answers on standard output: what a document does to its
// reader ends there.
import { formatBytes, messageOf } from "@pith/kit";
import { ArchiveFault } from "../archive/entry.ts";
import { readWhole } from "../fs/open.ts";
import { answerWith } from "../platform.ts";

export type Reply = { ok: true; text: string } | { ok: false; message: string };

/** Answers with the Markdown of a document, or with what is wrong with it. */
export async function answer(read: (path: string, ending: string) => Promise<string> | string): Promise<void> {
  const path = process.argv.at(-1) ?? "";
  let reply: Reply;
  try {
    reply = { ok: true, text: await read(path, path.slice(path.lastIndexOf(".") + 1).toLowerCase()) };
  } catch (thrown) {
    const message = messageOf(thrown);
    reply = {
      ok: false,
      message: thrown instanceof ArchiveFault ? message.replace("the archive", "the file") : message,
    };
  }
  await answerWith(JSON.stringify(reply));
  // Readers may leave timers behind that nobody waits for.
  process.exit();
}

const maxBytes = 64 * 1024 * 1024;

export function wholeOf(path: string): Buffer {
  const whole = readWhole(path, maxBytes);
  if (whole.ok) return whole.value.bytes;
  const tooLarge = `it is larger than ${formatBytes(maxBytes)}`;
  throw new Error(whole.kind === "large" ? tooLarge : whole.message.replace(`${path}: `, ""));
}
