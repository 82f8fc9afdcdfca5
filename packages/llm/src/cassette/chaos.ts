import { sleep } from "@pith/kit";
import { bodyText, type WrapTransport } from "../route/transport.ts";

/**
 * A network that misbehaves, in the same way for the same seed: answers come late, in odd pieces, with keep-alives in
 * between, break off, or are refused for now. After two such failures a body is let through, so a caller that tries
 * again gets the whole answer.
 */
export function chaos(seed: number): WrapTransport {
  const random = sequence(seed);
  const troubles = new Map<string, number>();
  return (_context, transport) => async (url, init) => {
    const key = bodyText(init);
    const met = troubles.get(key) ?? 0;
    const trouble = met < 2 ? random() : 1;
    if (trouble < 0.5) troubles.set(key, met + 1);
    await sleep(random() * 5, init.signal ?? undefined);
    if (trouble < 0.2) return new Response("{}", { status: 429, headers: { "retry-after": "0" } });
    // The bytes of `init.body` may have been overwritten while we slept.
    const response = await transport(url, { ...init, body: key });
    if (!response.ok || !response.body) return response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const type = response.headers.get("content-type") ?? "";
    const cut = trouble < 0.5 ? Math.floor(random() * bytes.length) : undefined;
    return new Response(pieces(bytes.subarray(0, cut), signOf(type), random), {
      status: response.status,
      headers: response.headers,
    });
  };
}

/** The keep-alive of a content type, and the bytes after which it may be sent. */
function signOf(type: string): { after: string; sign: string } | undefined {
  if (type.includes("text/event-stream")) return { after: "\n\n", sign: ": still here\n\n" };
  return type.includes("ndjson") ? { after: "\n", sign: "\n" } : undefined;
}

function pieces(bytes: Uint8Array, alive: ReturnType<typeof signOf>, random: () => number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return controller.close();
      await sleep(random() * 2);
      const end = Math.min(bytes.length, at + 1 + Math.floor(random() * 400));
      const piece = bytes.subarray(at, end);
      controller.enqueue(piece);
      at = end;
      if (alive && random() < 0.3 && Buffer.from(piece).toString("latin1").endsWith(alive.after))
        for (let times = 1 + Math.floor(random() * 3); times > 0; times--)
          controller.enqueue(new TextEncoder().encode(alive.sign));
    },
  });
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
