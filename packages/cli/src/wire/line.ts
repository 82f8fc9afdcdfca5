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
