import { type Clock, fail, ok, type Result } from "@pith/kit";
import type { Stream } from "../message/stream.ts";
import type { Model } from "../model/model.ts";
import { protocols } from "../protocol/protocols.ts";
import { streamOf } from "../route/route.ts";
import { bodyText, type Transport, type WrapTransport } from "../route/transport.ts";
import { comparable, difference, readTape, type TapeExchange } from "./tape.ts";

/**
 * Answers the requests of a cassette with the recorded bytes, through the usual decoders. Nothing goes to a network.
 */
export async function playCassette(
  file: string,
  clock: Clock,
  disturb: WrapTransport | undefined,
): Promise<Result<{ model: Model; stream: Stream }, "cassette">> {
  const tape = readTape(file);
  if (!tape.ok) return tape;
  const [first] = tape.value;
  const api = first?.model.api ?? "";
  const wire = Object.hasOwn(protocols, api) ? await protocols[api]?.(first?.compat ?? {}) : undefined;
  if (!first || !wire)
    return fail("cassette", `${file} was recorded with ${first?.model.api}, which pith does not know`);
  const { model, compat, byText } = first;
  const play = player(tape.value);
  const transport: Transport = async (_url, init) => play(bodyText(init));
  const route = streamOf({
    vendor: "cassette",
    ...wire,
    listing: undefined,
    endpoint: { url: new URL("http://cassette.invalid/"), shown: file, variable: "the cassette", near: true },
    auth: { headers: {}, variable: "", secrets: [] },
    clock,
    transport: disturb ? disturb({ model, compat, byText, secrets: [] }, transport) : transport,
  });
  const bodies = tape.value.map(({ body }) => body);
  const known = new Set(bodies.map(comparable));
  const stream: Stream = async function* (request, signal) {
    const body = wire.encode(request).join("");
    if (known.has(comparable(body))) yield* route(request, signal);
    else yield [{ type: "fail", failure: { kind: "missing", message: unrecorded(file, body, bodies) } }];
  };
  const heard = byText ? (await import("../protocol/text-call/text-call.ts")).withTextCalls(stream) : stream;
  return ok({ model, stream: heard });
}

const unrecorded = (file: string, body: string, bodies: readonly string[]) =>
  `This request was not recorded in ${file}. ${difference(body, bodies)}`;

/**
 * Finds the answer to a body. Of several recorded for the same body each is given once, in order, and the last one
 * again and again.
 */
function player(tape: readonly TapeExchange[]): (body: string) => Response {
  const left = new Map<string, TapeExchange[]>();
  for (const exchange of tape) {
    const key = comparable(exchange.body);
    left.set(key, [...(left.get(key) ?? []), exchange]);
  }
  return (body) => {
    const same = left.get(comparable(body)) ?? [];
    const exchange = same.length > 1 ? same.shift() : same[0];
    if (!exchange?.status) throw new Error("the server was not reached when this was recorded");
    return answer(exchange);
  };
}

/** A response in the recorded chunks, without the recorded delays. */
function answer({ status = 200, headers, chunks, end }: TapeExchange): Response {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[at++];
      if (chunk) controller.enqueue(Buffer.from(chunk[1], "base64"));
      else if (end === "broken") controller.error(new Error("the connection broke"));
      else controller.close();
    },
  });
  return new Response(body, { status, headers });
}
