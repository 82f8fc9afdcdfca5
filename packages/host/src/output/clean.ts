import { cleanText } from "@pith/kit";
import { incompleteTail } from "../fs/utf8.ts";

/**
 * `cleanText` for a stream of bytes, with every lone CR: whatever the chunk borders, the joined output is `cleanText`
 * of the joined input. What cannot be judged yet (a cut character, an open escape sequence, a CR before its LF) waits
 * for the next chunk; the wait is bounded.
 */
export class CleanStream {
  #bytes: Uint8Array = none;
  #held = "";

  /** Clean UTF-8; the chunk itself when it needs nothing, which is the usual case. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.#held === "" && this.#bytes.length === 0 && isPlainAscii(chunk)) return chunk;
    const bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const end = bytes.length - incompleteTail(bytes);
    this.#bytes = end === bytes.length ? none : bytes.slice(end);
    const text = this.#held + decoder.decode(bytes.subarray(0, end));
    const { hold, open } = undecided(text);
    this.#held = text.slice(hold, open) + text.slice(open).replace(pictureContent, "$1$2");
    return Buffer.from(cleanText(text.slice(0, hold), "stay"));
  }

  end(): Uint8Array {
    const rest = this.#held + decoder.decode(this.#bytes);
    this.#held = "";
    this.#bytes = none;
    return rest === "" ? none : Buffer.from(cleanText(rest, "stay"));
  }
}

const none = new Uint8Array(0);
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** As far as an end is looked for: of parameters, and of a string, whose beginning and end come on top. */
const maxHeld = { csi: 4096, string: 256 * 1024 + 4 };

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: control characters are the subject here
const introducer = /[\x1b\x90\x98\x9b\x9d-\x9f]/g;
const complete =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1bP|\x90)[0-9;]*q[!-$\-0-9;?-~\r\n]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1bPtmux;|\x1b[ -/]*[0-~]?/y;
const unfinished =
  /(?:(?:\x1b\[|\x9b)[0-?]*[ -/]*|(?:\x1bP|\x90)[0-9;]*q[!-$\-0-9;?-~\r\n]*\x1b?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x00-\x1f\x7f-\x9f]*\x1b?|\x1b[ -/]*)$/y;
// A picture is dropped however it ends, so only its border has to wait.
const pictureContent = /^((?:\x1bP|\x90)[0-9;]*q)[!-$\-0-9;?-~\r\n]*(\x1b?)$/;
const parameters = /^\r?(?:\x1b\[|\x9b)/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: control characters are the subject here

/**
 * Where the part begins that only the next chunk can decide (`hold`), and the sequence in it that is not finished
 * (`open`).
 */
function undecided(text: string): { hold: number; open: number } {
  let open = text.length;
  // The run of sequences that reaches up to `last`: a CR before it may belong to an LF behind it.
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
  const held = text.slice(hold).replace(pictureContent, "");
  // Only a stream that is no terminal output gets here: parameters or a string without end.
  return held.length > (parameters.test(held) ? maxHeld.csi : maxHeld.string)
    ? { hold: text.length, open: text.length }
    : { hold, open };
}

/** Nothing but printable ASCII, tabs and newlines. */
function isPlainAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte < 32 ? byte !== 10 && byte !== 9 : byte > 126) return false;
  }
  return true;
}
