import { cleanText } from "@pith/kit";
import { incompleteTail } from "../fs/utf8.ts";
import { empty } from "./bytes.ts";

/**
 * `cleanText` for a stream of bytes, cut anywhere; a lone CR stays. A cut character, an open escape sequence and a CR
 * that may have an LF wait for the next chunk, up to a limit.
 */
export class CleanStream {
  #bytes: Uint8Array = empty;
  #pending = "";

  /** Clean UTF-8: the chunk itself if it is clean, which is the usual case. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.#pending === "" && this.#bytes.length === 0 && isPlainAscii(chunk)) return chunk;
    const bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const end = bytes.length - incompleteTail(bytes);
    this.#bytes = end === bytes.length ? empty : bytes.slice(end);
    const text = this.#pending + decoder.decode(bytes.subarray(0, end));
    const { hold, open } = undecided(text);
    this.#pending = text.slice(hold, open) + text.slice(open).replace(pictureContent, "$1$2");
    return Buffer.from(cleanText(text.slice(0, hold), "stay"));
  }

  end(): Uint8Array {
    const rest = this.#pending + decoder.decode(this.#bytes);
    this.#pending = "";
    this.#bytes = empty;
    return rest === "" ? empty : Buffer.from(cleanText(rest, "stay"));
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Lengths up to which the end of a sequence is waited for: of its parameters, and of a string with its marks. */
const maxPending = { csi: 4096, string: 256 * 1024 + 4 };

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are the subject here
const introducer = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;
const complete =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1bP|\x90)[0-9;]*q[!-$\-0-9;?-~\r\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1bPtmux;|\x1b[ -/]*[0-~]?/y;
const unfinished =
  /(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1bP|\x90)[0-9;]*q[!-$\-0-9;?-~\r\n]*\x1b?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x1f\x7f-\x9f]*\x1b?|\x1b[ -/]*)$/y;
// A picture is dropped however it ends, so its content need not wait, only its first and last bytes.
const pictureContent = /^((?:\x1bP|\x90)[0-9;]*q)[!-$\-0-9;?-~\r\n]*(\x1b?)$/;
const parameters = /^\r?(?:\x1b\[|\x9b)/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: control characters are the subject here

/** Offsets of the part that only the next chunk can decide (`hold`) and of the unfinished sequence in it (`open`). */
function undecided(text: string): { hold: number; open: number } {
  let open = text.length;
  // `run` is the start of the run of sequences that ends at `last`: a CR before the run may belong to an LF behind it.
  let run = 0;
  let last = -1;
  introducer.lastIndex = 0;
  for (let match = introducer.exec(text); match; match = introducer.exec(text)) {
    unfinished.lastIndex = match.index;
    if (unfinished.test(text)) {
      open = match.index;
      break;
    }
    complete.lastIndex = match.index;
    if (!complete.test(text)) continue;
    if (match.index !== last) run = match.index;
    last = complete.lastIndex;
    introducer.lastIndex = last;
  }
  const cr = (last === open ? run : open) - 1;
  const hold = text[cr] === "\r" ? cr : open;
  const pending = text.slice(hold).replace(pictureContent, "");
  // Parameters or a string without end: no terminal output looks like this.
  return pending.length > (parameters.test(pending) ? maxPending.csi : maxPending.string)
    ? { hold: text.length, open: text.length }
    : { hold, open };
}

/** True for printable ASCII, tabs and newlines alone. */
function isPlainAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte < 32 ? byte !== 10 && byte !== 9 : byte > 126) return false;
  }
  return true;
}
