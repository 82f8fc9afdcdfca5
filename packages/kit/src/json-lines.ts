/** In the place of a line that was longer than allowed; nothing of it was kept. */
export const tooLong = Symbol("too long");

const lf = 10;

/** Lines at LF only: other separators may stand inside of a JSON string. Empty ones are none; the last may be unfinished. */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string | typeof tooLong> {
  let kept: Uint8Array[] = [];
  let size = 0;
  const line = (): (string | typeof tooLong)[] => {
    const text = size > maxBytes ? tooLong : Buffer.concat(kept).toString().replace(/\r$/, "");
    kept = [];
    size = 0;
    return text === "" ? [] : [text];
  };
  const keep = (piece: Uint8Array) => {
    size += piece.length;
    if (size > maxBytes) kept = [];
    else if (piece.length > 0) kept.push(piece);
  };
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = chunk.indexOf(lf); at !== -1; at = chunk.indexOf(lf, from)) {
      keep(chunk.subarray(from, at));
      from = at + 1;
      yield* line();
    }
    keep(chunk.subarray(from));
  }
  yield* line();
}

/** Levels that a value of a program may have. Deeper ones could be read, but not be written again. */
const mostLevels = 1000;

/** Whether a JSON text nests deeper than is taken; what stands in its strings does not count. */
export function isDeep(text: string): boolean {
  // So few signs cannot.
  if (text.length < mostLevels) return false;
  const sign = /["[\]{}]/g;
  let level = 0;
  for (let found = sign.exec(text); found; found = sign.exec(text)) {
    if (found[0] === '"') sign.lastIndex = endOf(text, found.index);
    else if (found[0] === "[" || found[0] === "{") level++;
    else level--;
    if (level > mostLevels) return true;
  }
  return false;
}

/** Behind the string that begins there. */
function endOf(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === "\\") before--;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return text.length;
}
