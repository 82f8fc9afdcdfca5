/** Stands for a line that was longer than allowed; its bytes were dropped. */
export const tooLong = Symbol("too long");

const lf = 10;

/**
 * Cuts bytes into lines at LF only, since other separators may stand inside of a JSON string. Empty lines are left out;
 * the last line may lack its LF.
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string | typeof tooLong> {
  let chunks: Uint8Array[] = [];
  let size = 0;
  const take = (): (string | typeof tooLong)[] => {
    const text = size > maxBytes ? tooLong : Buffer.concat(chunks).toString().replace(/\r$/, "");
    chunks = [];
    size = 0;
    return text === "" ? [] : [text];
  };
  const add = (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > maxBytes) chunks = [];
    else if (chunk.length > 0) chunks.push(chunk);
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(lf); at !== -1; at = chunk.indexOf(lf, from)) {
      add(chunk.subarray(from, at));
      from = at + 1;
      yield* take();
    }
    add(chunk.subarray(from));
  }
  yield* take();
}

/** Levels that a value may have. A deeper one could be read, but not be written again. */
const maxLevels = 1000;

/** True when a JSON text nests deeper than the limit. Brackets inside of strings do not count. */
export function isDeep(text: string): boolean {
  // A text this short cannot.
  if (text.length < maxLevels) return false;
  const sign = /["[\]{}]/g;
  let level = 0;
  for (let match = sign.exec(text); match; match = sign.exec(text)) {
    if (match[0] === '"') sign.lastIndex = afterString(text, match.index);
    else if (match[0] === "[" || match[0] === "{") level++;
    else level--;
    if (level > maxLevels) return true;
  }
  return false;
}

/** Index behind the string that begins at `from`. */
function afterString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === "\\") before--;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
}

/**
 * Cuts a stream of text into lines at LF only (a JSON string may hold other separators); `rest` is the unfinished last
 * one.
 */
export class LineCutter {
  #rest = "";

  push(chunk: string): string[] {
    const first = chunk.indexOf("\n");
    if (first === -1) {
      this.#rest += chunk;
      return [];
    }
    const lines = (this.#rest + chunk).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines;
  }

  get rest(): string {
    return this.#rest;
  }
}
