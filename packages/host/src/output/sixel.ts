/**
 * Finds whole pictures in SIXEL in a stream of bytes, whatever the chunk borders. What it hands on can be nothing else:
 * every byte of it is one of the format.
 */
export class SixelStream {
  #held = "";

  push(chunk: Uint8Array): string[] {
    if (this.#held === "" && chunk.indexOf(esc) === -1) return [];
    const text = this.#held + Buffer.from(chunk).toString("latin1");
    const pictures = text.match(whole) ?? [];
    const rest = open.exec(text)?.[0] ?? "";
    this.#held = rest.length > largest ? "" : rest;
    return pictures;
  }
}

const esc = 0x1b;
const largest = 8 * 1024 * 1024;
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const whole = /\x1bP[0-9;]*q[!-$\-0-9;?-~\r\n]*\x1b\\/g;
const open = /\x1b(?:P(?:[0-9;]*(?:q[!-$\-0-9;?-~\r\n]*\x1b?)?)?)?$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
