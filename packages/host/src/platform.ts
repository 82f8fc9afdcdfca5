// What only this runtime has, in one place.

/** A decoded picture that can be resized and written again. */
export const openImage = (bytes: Uint8Array): Bun.Image => new Bun.Image(bytes);

/** Reads JSON5: comments, single quotes, bare keys. Throws a SyntaxError on bad text. */
export const parseJson5 = (text: string): unknown => Bun.JSON5.parse(text);
