import { isDeep, messageOf } from "@pith/kit";

/** Bytes of one command; a picture fits. */
const maxBytes = 32 * 1024 * 1024;

export type Body = { ok: true; value: unknown } | { ok: false; status: number; why: string };

/** Reads one JSON value. Reading stops at the limit, so a longer body is refused before it has arrived. */
export async function readBody(request: Request): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) return { ok: false, status: 413, why: `a command has at most ${maxBytes} bytes` };
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  if (isDeep(text)) return { ok: false, status: 400, why: "this nests too deep" };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, status: 400, why: `not JSON: ${messageOf(error)}` };
  }
}
