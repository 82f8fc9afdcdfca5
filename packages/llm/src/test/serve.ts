import { parseJson } from "@pith/kit";
import type { Fake, Frame, Play, Scene } from "./fake.ts";
import { type Ask, type Refusal, refusalOf } from "./rule.ts";

export interface Served {
  /** The address of the protocol, its version path included. */
  url: string;
  asks: Ask<unknown>[];
  refusals: Refusal[];
  /** Requests whose reader went away. */
  cancelled(): number;
  [Symbol.dispose](): void;
}

/**
 * Serves a fake on loopback. Every request is held to the rules first; the plays are then given in turn, the last one
 * again and again.
 */
export function serve(fake: Fake, ...plays: readonly Play[]): Served {
  const asks: Ask<unknown>[] = [];
  const refusals: Refusal[] = [];
  let cancelled = 0;
  let played = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const beside = fake.beside?.path.test(pathname) ? fake.beside : undefined;
      if (request.method !== "POST" || !(beside ?? fake).path.test(pathname))
        return new Response("not found", { status: 404 });
      const raw = await request.text();
      const ask: Ask<unknown> = { body: parseJson(raw), headers: request.headers, url: new URL(request.url), raw };
      asks.push(ask);
      const refusal = refusalOf((beside ?? fake).rules, ask);
      if (refusal) {
        refusals.push(refusal);
        return reject(fake, refusal);
      }
      if (beside) return Response.json(beside.answer(ask));
      const play = plays[Math.min(++played, plays.length) - 1] ?? { text: "ok" };
      return answer(fake, play, ask, () => cancelled++);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}${fake.base}`,
    asks,
    refusals,
    cancelled: () => cancelled,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function reject(fake: Fake, { rule, status, message }: Refusal): Response {
  const { body } = fake.error(status === 401 || status === 403 ? "auth" : "rejected", message);
  return Response.json(body, { status, headers: { "x-fake-rule": rule } });
}

function answer(fake: Fake, play: Play, ask: Ask<unknown>, onCancel: () => void): Response {
  if (!("fault" in play)) return stream(fake, fake.frames(play, ask), "close", onCancel);
  const half = () => {
    const frames = fake.frames(sample, ask);
    return frames.slice(0, frames.length >> 1);
  };
  switch (play.fault) {
    case "rate":
    case "server":
    case "overflow": {
      const { status, body, headers } = fake.error(play.fault, messages[play.fault]);
      const all = new Headers(headers);
      if (play.fault === "rate" && !fake.delayInBody) all.set("retry-after", String(play.seconds));
      return Response.json(body, { status, headers: all });
    }
    case "overload":
      return stream(fake, [...half(), fake.overload], "close", onCancel);
    case "cut":
      return stream(fake, half(), "close", onCancel);
    case "stall":
      return stream(fake, half(), "hold", onCancel);
    case "silent":
      return stream(fake, fake.ping ? [fake.ping, fake.ping] : [], "hold", onCancel);
  }
}

const sample: Scene = {
  text: "a longer answer that takes a while to say",
  calls: [{ id: "call_half", name: "read", args: { path: "a" } }],
};
const messages = { rate: "slow down", server: "something broke", overflow: "" };

function stream(fake: Fake, frames: readonly Frame[], then: "close" | "hold", onCancel: () => void): Response {
  const body = new ReadableStream({
    start(controller) {
      for (const frame of frames)
        controller.enqueue(typeof frame === "string" ? new TextEncoder().encode(frame) : frame);
      if (then === "close") controller.close();
    },
    cancel: onCancel,
  });
  return new Response(body, { headers: { "content-type": fake.contentType } });
}
