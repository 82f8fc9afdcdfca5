const plain = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

export const jsonResponse = (value: unknown, status = 200): Response =>
  new Response(`${JSON.stringify(value)}\n`, { status, headers: { "content-type": "application/json", ...plain } });

export const refused = (status: number, error: string): Response => jsonResponse({ error }, status);

export const streamResponse = (type: string, body: ReadableStream<Uint8Array>): Response =>
  new Response(body, { headers: { "content-type": type, ...plain } });
