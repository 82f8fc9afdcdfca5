import { join } from "node:path";
import { readWhole } from "../fs/open.ts";
import type { FoundFile } from "./found.ts";
import type { Unread } from "./rg-run.ts";

interface Proof {
  proven: FoundFile[];
  unread: Unread[];
  /** Too large to be read at once: these are to be searched alone. */
  large: FoundFile[];
}

/**
 * Keeps what really stands in the files below a directory: ripgrep goes by names, and a folder on its way may have been
 * a link for a moment. Each file is read once more without following any, and a line that is not in it is not told.
 */
export function prove(root: string, files: readonly FoundFile[]): Proof {
  const proof: Proof = { proven: [], unread: [], large: [] };
  for (const file of files) {
    const whole = readWhole(join(root, file.path));
    if (whole.ok && holdsAll(whole.value.bytes, file)) proof.proven.push(file);
    else if (!whole.ok && whole.kind === "large") proof.large.push(file);
    else proof.unread.push({ path: file.path, reason: "it was changed by something else in the meantime" });
  }
  return proof;
}

function holdsAll(bytes: Buffer, { lines }: FoundFile): boolean {
  const wide = wideMarks.find(({ mark }) => bytes.subarray(0, 2).equals(mark));
  const content = wide ? new TextDecoder(wide.name).decode(bytes) : bytes;
  // What is no character in UTF-8 was left out when the line was read; what stands around it was not.
  return lines.every(({ text }) =>
    text
      .replace(cutShort, "")
      .split("\ufffd")
      .every((piece) => content.includes(piece)),
  );
}

const wideMarks = [
  { mark: Buffer.from([0xff, 0xfe]), name: "utf-16le" },
  { mark: Buffer.from([0xfe, 0xff]), name: "utf-16be" },
] as const;

/** What ripgrep says behind the beginning of a long line. */
const cutShort = /(?<=^.{1024,}) \[\.\.\. [^\]]*\]$/s;
