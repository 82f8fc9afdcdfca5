import { type Clock, nearest, sleep } from "@pith/kit";
import { flood, limits } from "../limit.ts";
import type { Failure, Request, Stream, StreamEvent } from "../message/stream.ts";
import type { Model } from "../model/model.ts";
import { fetchSafely, preconnect } from "../platform.ts";
import type { Decoder, Protocol } from "../protocol/protocol.ts";
import type { Auth } from "./auth.ts";
import { readUpTo } from "./body.ts";
import { BodyWriter } from "./body-writer.ts";
import { type Endpoint, urlBelow } from "./endpoint.ts";
import { EventBatcher } from "./event-batcher.ts";
import { cleanMessage, httpFailure, networkFailure, pageFailure, type RequestTarget } from "./failure.ts";
import { type Cutter, document } from "./framing/framing.ts";
import { listedNames, queryJson } from "./listing.ts";
import { excessOf, Meter } from "./meter.ts";
import type { Tap } from "./tap.ts";
import type { Transport } from "./transport.ts";

/** A connection to a model: a protocol with endpoint and authentication. */
export interface Route extends Protocol {
  vendor: string;
  endpoint: Endpoint;
  auth: Auth;
  /** PEM of our certificate and key, and of additional authorities. */
  tls?: { cert?: string; key?: string; ca?: string } | undefined;
  clock: Clock;
  /** Replaces the network. */
  transport?: Transport | undefined;
  /** Captures the answers. */
  tap?: Tap | undefined;
  /** True when a connection can be opened in advance: there is no proxy. */
  preconnects?: boolean;
}

/** The stream of a route. It does not retry; all failures are events. */
export const streamOf = (route: Route): Stream => {
  const writer = new BodyWriter();
  const stream: Stream = (request, signal) =>
    run({ route, writer, request, signal, target: targetOf(route, request.model) });
  stream.prepare = (request) => {
    writer.write(route.encode(request));
    if (route.preconnects) preconnect(route.endpoint.url);
  };
  return stream;
};

/** A request on a route. */
interface Exchange {
  route: Route;
  writer: BodyWriter;
  request: Request;
  signal: AbortSignal;
  target: RequestTarget;
}

async function* run(exchange: Exchange): AsyncGenerator<readonly StreamEvent[]> {
  const { route, request, signal, target } = exchange;
  const response = await answer(exchange);
  const head = `${"kind" in response ? response.message : response.status} ${target.shown}`;
  const capture = route.tap?.begin({ time: route.clock.now(), head, secrets: target.secrets });
  if (signal.aborted) return yield [aborted];
  if ("kind" in response) return yield [{ type: "fail", failure: response }];
  const decoder = route.decoder(request);
  // A server that does not stream answers with one document, which reads like one long piece.
  const cutter = (typeOf(response).includes("application/json") ? document(route.framing) : route.framing)();
  const meter = new Meter();
  const batcher = new EventBatcher();
  const reader = response.body?.getReader();
  try {
    let reading = next(reader, decoder, 0, signal);
    for (let over = false; !over; ) {
      const bytes = await batcher.more(reading);
      if (signal.aborted) return yield [aborted];
      if (bytes !== "due") {
        capture?.(bytes);
        const { events, end } = decode(bytes, cutter, decoder, meter);
        over = end !== undefined;
        hideSecrets(events, target);
        batcher.add(events);
        if (end === "said") await drain(reader);
      }
      const events = batcher.take(over || bytes === "due");
      if (events) yield events;
      if (!over && bytes !== "due") reading = next(reader, decoder, batcher.pause(bytes?.length ?? 0), signal);
    }
  } finally {
    batcher.end();
    reader?.cancel().catch(nothing);
  }
}

/** The server's response, or a failure. */
async function answer(exchange: Exchange): Promise<Response | Failure> {
  const { route, request, signal, target } = exchange;
  if (request.seal && route.sealPath === undefined) return noSummary;
  const response = await send(exchange).catch((thrown: unknown) => networkFailure(thrown, target));
  if (signal.aborted || "kind" in response) return response;
  if (response.ok && !typeOf(response).includes("text/html")) return response;
  if (response.ok) {
    await response.body?.cancel().catch(nothing);
    return pageFailure(target);
  }
  const { text: body } = await readUpTo(response, limits.refusal);
  const failure = httpFailure(response, { body, model: request.model.id, now: route.clock.now() }, target);
  return failure.status === 404 && failure.kind === "missing" ? withNames(failure, route, request) : failure;
}

const typeOf = ({ headers }: Response): string => headers.get("content-type") ?? "";

/**
 * Decodes the next bytes, or the end of the body; ends the answer where a limit is exceeded. `said`: the answer ended
 * before its body.
 */
function decode(bytes: Uint8Array | undefined, cutter: Cutter, decoder: Decoder, meter: Meter) {
  const events: StreamEvent[] = [];
  const payloads = bytes ? cutter.push(bytes) : [];
  let excess = cutter.held > limits.event ? flood("event") : undefined;
  for (const payload of payloads) {
    const failure = payload.length > limits.brackets ? excessOf(payload) : undefined;
    if (failure) {
      excess = failure;
      break;
    }
    decoder.push(payload, events);
  }
  if (!bytes) decoder.end(events, cutter.end());
  const flooded =
    meter.cut(events, payloads.length) ?? (decoder.ended ? undefined : (excess ?? meter.count(bytes?.length ?? 0)));
  if (flooded) events.push({ type: "fail", failure: flooded });
  // A flooding server is not waited for.
  const end = flooded || !bytes ? "there" : "said";
  return { events, end: flooded || decoder.ended ? end : undefined } as const;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The next bytes, read after a pause; undefined at the end. A broken connection counts as the end; the decoder decides
 * whether the answer is complete.
 */
function next(
  reader: Reader | undefined,
  { settled }: Decoder,
  pauseMs: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> | undefined {
  const bytes = () => reader?.read().then(({ value }) => value, nothing);
  const read = pauseMs > 0 ? sleep(pauseMs, signal).then(bytes) : bytes();
  return settled ? soon(read, lingerMs) : read;
}

async function send({ route, writer, request, signal }: Exchange): Promise<Response> {
  const { endpoint, auth, clock, transport = fetchSafely } = route;
  const url = urlBelow(endpoint.url, request.seal ? (route.sealPath ?? "") : route.path(request.model));
  const body = writer.write(route.encode(request));
  const headers = {
    "content-type": "application/json",
    accept: request.seal ? "application/json" : "text/event-stream",
    "user-agent": "pith",
    ...route.headers?.(request),
    ...auth.headers,
  };
  const signed = auth.sign ? { ...headers, ...auth.sign({ url, headers, body, now: clock.now() }) } : headers;
  return transport(url, {
    method: "POST",
    headers: signed,
    body,
    signal,
    // A key must not be sent on by a redirect.
    redirect: "manual",
    tls: route.tls,
    // The runtime would give up after five silent minutes; a local model may read a long prompt for longer.
    timeout: false,
  });
}

/** Time for a server to list its models. */
const listMs = 2000;
const mostNames = 12;

/** Adds the server's model names to the failure for an unknown model. */
async function withNames(failure: Failure, route: Route, request: Request): Promise<Failure> {
  const { listing, endpoint, auth, tls } = route;
  if (!listing || auth.sign) return failure;
  const headers = { ...route.headers?.(request), accept: "application/json", ...auth.headers };
  const answer = await queryJson({ endpoint, path: listing.path, init: { headers, tls }, timeoutMs: listMs });
  const names = listedNames(answer, listing);
  if (names.length === 0 || names.includes(request.model.id)) return failure;
  const meant = nearest(request.model.id, names);
  const shown = [...(meant ? [meant] : []), ...names.filter((name) => name !== meant)].slice(0, mostNames);
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : "";
  const said = cleanMessage(`${shown.join(", ")}${more}`, auth.secrets);
  return { ...failure, message: `${failure.message}\nThis server has ${said}.` };
}

/** Reads the rest of a body, so that the connection can be reused; a slow server is not waited for. */
const drain = (reader: Reader | undefined) => soon(reader?.read().catch(nothing), 50);

/** Time for token counts to arrive after the answer. */
const lingerMs = 2000;

/** Result of a promise within a time, else undefined. */
async function soon<T>(promise: Promise<T> | undefined, ms: number): Promise<T | undefined> {
  const enough = new AbortController();
  const first = await Promise.race([promise, sleep(ms, enough.signal).then(nothing)]);
  enough.abort();
  return first;
}

function hideSecrets(events: StreamEvent[], { secrets }: RequestTarget): void {
  const last = events.at(-1);
  if (last?.type === "fail")
    events[events.length - 1] = {
      type: "fail",
      failure: { ...last.failure, message: cleanMessage(last.failure.message, secrets) },
    };
}

const aborted: StreamEvent = { type: "fail", failure: { kind: "aborted", message: "stopped" } };
const noSummary: Failure = { kind: "missing", message: "this vendor makes no summary for itself" };
const nothing = () => undefined;

const targetOf = (route: Route, model: Model): RequestTarget => ({
  vendor: route.vendor,
  shown: route.endpoint.shown + route.path(model).split("?")[0],
  baseVariable: route.endpoint.variable,
  keyVariable: route.auth.variable,
  secrets: route.auth.secrets,
});
