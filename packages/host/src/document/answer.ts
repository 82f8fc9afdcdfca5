// Runs in a process of its own, which is given one path and answers on standard output: what a document does to its
// reader ends there.
import { formatBytes, messageOf } from "@pith/kit";
import { ArchiveFault } from "../archive/entry.ts";
import { readWhole } from "../fs/open.ts";
import { answerWith } from "../platform.ts";

/** Answers with the Markdown of a document, or with what is wrong with it. */
export async function answer(read: (path: string, ending: string) => Promise<string> | string): Promise<void> {
  const path = process.argv.at(-1) ?? "";
  let said: { ok: true; text: string } | { ok: false; message: string };
  try {
    said = { ok: true, text: await read(path, path.slice(path.lastIndexOf(".") + 1).toLowerCase()) };
  } catch (thrown) {
    said = {
      ok: false,
      message: thrown instanceof ArchiveFault ? thrown.message.replace("the archive", "the file") : messageOf(thrown),
    };
  }
  await answerWith(JSON.stringify(said));
  // Readers may leave timers behind that nobody waits for.
  process.exit();
}

const maxBytes = 64 * 1024 * 1024;

export function wholeOf(path: string): Buffer {
  const whole = readWhole(path, maxBytes);
  if (!whole.ok)
    throw new Error(
      whole.kind === "large" ? `it is larger than ${formatBytes(maxBytes)}` : whole.message.replace(`${path}: `, ""),
    );
  return whole.value.bytes;
}
