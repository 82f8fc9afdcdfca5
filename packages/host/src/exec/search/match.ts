import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { readWhole } from "../../fs/open.ts";
import { shownText } from "../../fs/raw.ts";
import type { UnreadPath } from "./run-rg.ts";

export interface MatchedFile {
  /** Relative to the root, or the name of the root when that is a file. */
  path: string;
  lines: MatchedLine[];
  /** The number of all its matches, where only the last are kept. */
  counted?: number | undefined;
}

export interface MatchedLine {
  number: number;
  match: boolean;
  /** The line; of one that is too long to hold, the text around the first match, with a mark where it is cut. */
  text: string;
  /** The place in a long text at which the first match begins. */
  at?: number;
}

interface Verified {
  proven: MatchedFile[];
  unread: UnreadPath[];
  /** Too large to be read at once: these are to be searched alone. */
  large: MatchedFile[];
}

/**
 * Keeps what really stands in the files below a directory: ripgrep goes by names, and a folder on its way may have been
 * a link for a moment. Each file is read once more without following any, and a line that is not in it is left out.
 */
export function verifyMatches(
  { root, encoding }: { root: string; encoding?: "windows-1252" },
  files: readonly MatchedFile[],
): Verified {
  const verified: Verified = { proven: [], unread: [], large: [] };
  for (const file of files) {
    const whole = readWhole(join(root, file.path));
    const content = whole.ok ? decoded(whole.value.bytes, encoding) : undefined;
    if (content && file.lines.every(({ text }) => content.includes(text.replace(/^…/, "").replace(cutShort, ""))))
      verified.proven.push(file);
    else if (!whole.ok && whole.kind === "large") verified.large.push(file);
    else verified.unread.push({ path: file.path, reason: "it was changed by something else in the meantime" });
  }
  return verified;
}

/** The content in the encoding that its lines were told in. */
function decoded(bytes: Buffer, encoding: string | undefined): string | Buffer {
  const mark = bytes.subarray(0, 2).toString("latin1");
  const name = mark === "\xff\xfe" ? "utf-16le" : mark === "\xfe\xff" ? "utf-16be" : encoding;
  if (name !== undefined) return new TextDecoder(name).decode(bytes);
  return isUtf8(bytes) ? bytes : shownText(bytes);
}

/** The note of ripgrep behind the beginning of a long line. */
const cutShort = /(?<=^.{1024,}) \[\.\.\. [^\]]*\]$/s;
