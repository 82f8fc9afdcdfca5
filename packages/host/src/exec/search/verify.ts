import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { readWhole } from "../../fs/open.ts";
import { shownText } from "../../fs/raw.ts";
import type { MatchedFile } from "./found.ts";
import type { UnreadPath } from "./run-rg.ts";

interface Searched {
  root: string;
  encoding?: "windows-1252";
}

interface Proof {
  proven: MatchedFile[];
  unread: UnreadPath[];
  /** Too large to be read at once: these are to be searched alone. */
  large: MatchedFile[];
}

/**
 * Keeps what really stands in the files below a directory: ripgrep goes by names, and a folder on its way may have been
 * a link for a moment. Each file is read once more without following any, and a line that is not in it is not told.
 */
export function verifyMatches({ root, encoding }: Searched, files: readonly MatchedFile[]): Proof {
  const proof: Proof = { proven: [], unread: [], large: [] };
  for (const file of files) {
    const whole = readWhole(join(root, file.path));
    if (whole.ok && holdsAll(toldAs(whole.value.bytes, encoding), file)) proof.proven.push(file);
    else if (!whole.ok && whole.kind === "large") proof.large.push(file);
    else proof.unread.push({ path: file.path, reason: "it was changed by something else in the meantime" });
  }
  return proof;
}

function holdsAll(content: string | Buffer, { lines }: MatchedFile): boolean {
  return lines.every(({ text }) => content.includes(text.replace(/^…/, "").replace(cutShort, "")));
}

/** The content as its lines are told. */
function toldAs(bytes: Buffer, encoding: string | undefined): string | Buffer {
  const name = wideMarks.find(({ mark }) => bytes.subarray(0, 2).equals(mark))?.name ?? encoding;
  if (name !== undefined) return new TextDecoder(name).decode(bytes);
  return isUtf8(bytes) ? bytes : shownText(bytes);
}

const wideMarks = [
  { mark: Buffer.from([0xff, 0xfe]), name: "utf-16le" },
  { mark: Buffer.from([0xfe, 0xff]), name: "utf-16be" },
] as const;

/** What ripgrep says behind the beginning of a long line. */
const cutShort = /(?<=^.{1024,}) \[\.\.\. [^\]]*\]$/s;
