import { decode } from "@pith/coder";

/** Collects a stream up to `max` bytes. `too large` means there was more; nothing of it is kept. */
export async function readUpTo(bytes: AsyncIterable<Uint8Array>, max: number): Promise<Uint8Array | "too large"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > max) return "too large";
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/** The text of bytes that are text, in the encodings that the tools read too; undefined for anything else. */
export function textOf(bytes: Uint8Array): string | undefined {
  const read = decode(bytes);
  return read.ok ? read.value.text : undefined;
}

/** The most text a prompt takes from a file or a pipe: more does not fit into a model. */
export const maxTextBytes = 4 * 1024 * 1024;
