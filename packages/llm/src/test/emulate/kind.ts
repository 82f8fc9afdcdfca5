import type { Machine } from "./machine.ts";

export interface Asked {
  body: Readonly<Record<string, unknown>>;
  raw: string;
  request: Request;
  url: URL;
}

/** A program that serves models. */
export interface Kind {
  /** Before the path of its protocol. */
  base: string;
  /** Default port. */
  port: number;
  /** `GET /path`; a `*` at the end stands for the rest. */
  routes: Readonly<Record<string, (machine: Machine, asked: Asked) => Response>>;
  /** Answers unknown paths. */
  missing(asked: Asked): Response;
  /** Set unless somebody takes them away: its own ways. */
  quirks?: readonly string[];
}

/** An answer piece by piece, as a server of tokens sends it. */
export function streamed(frames: readonly string[], type: string): Response {
  const bytes = new TextEncoder();
  const left = frames[Symbol.iterator]();
  const body = new ReadableStream({
    pull(controller) {
      const next = left.next();
      if (next.done) controller.close();
      else controller.enqueue(bytes.encode(next.value));
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}
