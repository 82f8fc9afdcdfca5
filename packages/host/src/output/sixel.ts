/** Finds whole SIXEL pictures in a stream of bytes, wherever the chunks are cut. Every byte of a result is SIXEL. */
export class SixelStream {
  #pending = "";

  push(chunk: Uint8Array): string[] {
    if (this.#pending === "" && chunk.indexOf(esc) === -1) return [];
    const text = this.#pending + Buffer.from(chunk).toString("latin1");
    const pictures = text.match(whole) ?? [];
    const rest = open.exec(text)?.[0] ?? "";
    this.#pending = rest.length > maxPicture ? "" : rest;
    return pictures;
  }
}

const esc = 0x1b;
const maxPicture = 8 * 1024 * 1024;
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
const whole = /\x1bP[0-9;]*q[!-$\-0-9;?-~\r\n]*\x1b\\/g;
const open = /\x1b(?:P(?:[0-9;]*(?:q[!-$\-0-9;?-~\r\n]*\x1b?)?)?)?$/;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
