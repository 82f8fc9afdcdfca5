import { isDeep, messageOf } from "@pith/kit";

/** Bytes of a command; a picture fits. */
const mostBody = 32 * 1024 * 1024;

export type Body = { ok: true; value: unknown } | { ok: false; status: number; why: string };

/** One JSON value; a body that is too long is not waited for. */
export async function bodyOf(request: Request): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > mostBody) return { ok: false, status: 413, why: `a command has at most ${mostBody} bytes` };
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
