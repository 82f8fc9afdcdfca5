import { type Clock, nearest, sleep } from "@pith/kit";
import { flood, limits } from "../limit.ts";
import type { Failure, Request, Stream, StreamEvent } from "../message/stream.ts";
import type { Model } from "../model/model.ts";
import { fetchSafely, preconnect } from "../platform.ts";
import type { Decoder, Protocol } from "../protocol/protocol.ts";
import type { Auth } from "./auth.ts";
import { readUpTo } from "./body.ts";
import { BodyWriter } from "./body-writer.ts";
import type { Endpoint } from "./endpoint.ts";
import { EventBatcher } from "./event-batcher.ts";
import { cleanMessage, httpFailure, networkFailure, pageFailure, type RequestTarget } from "./failure.ts";
import { type Cutter, document } from "./framing/framing.ts";
import { listedNames, queryJson } from "./listing.ts";
import { excessOf, Meter } from "./meter.ts";
import type { Tap, TapExchange } from "./tap.ts";
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
  const scribe = new BodyWriter();
  const stream: Stream = (request, signal) =>
    request.seal && route.sealPath === undefined ? unsealed() : run(route, scribe, request, signal);
  stream.prepare = (request) => {
    scribe.write(route.encode(request));
    if (route.preconnects) preconnect(route.endpoint.url);
  };
  return stream;
};

async function* run(
  route: Route,
  scribe: BodyWriter,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<readonly StreamEvent[]> {
  const address = addressOf(route, request.model);
  const response = await answer(route, scribe, request, signal, address);
  const hear = route.tap?.begin(exchangeOf(response, address, route.clock));
  if (signal.aborted) return yield [aborted];
  if ("kind" in response) return yield [{ type: "fail", failure: response }];
  const type = response.headers.get("content-type") ?? "";
  const decoder = route.decoder(request);
  // A server that does not stream answers with one document, which reads like one long piece.
  const cutter = (type.includes("application/json") ? document(route.framing) : route.framing)();
  const meter = new Meter();
  const gather = new EventBatcher();
  const reader = response.body?.getReader();
  try {
    let reading = next(reader, decoder);
    for (let over = false; !over; ) {
      const bytes = await gather.more(reading);
      if (signal.aborted) return yield [aborted];
      if (bytes !== "due") {
        hear?.(bytes);
        const { events, end } = heard(bytes, cutter, decoder, meter);
        over = end !== undefined;
        if (over) hideSecrets(events, address);
        gather.add(events);
        if (!over) reading = next(reader, decoder);
        else if (end === "said") await drain(reader);
      }
      const events = gather.take(over || bytes === "due");
      if (events) yield events;
    }
  } finally {
    gather.end();
    reader?.cancel().catch(nothing);
  }
}

/** The server's response, or a failure. */
async function answer(
  route: Route,
  scribe: BodyWriter,
  request: Request,
  signal: AbortSignal,
  address: RequestTarget,
): Promise<Response | Failure> {
  const response = await send(route, scribe, request, signal).catch((thrown: unknown) =>
    networkFailure(thrown, address),
  );
  if (signal.aborted || "kind" in response) return response;
  const type = response.headers.get("content-type") ?? "";
  const refusal = await refusalOf(response, type, address, request.model.id, route.clock);
  return refusal?.kind === "missing" ? withNames(refusal, route, request) : (refusal ?? response);
}

/**
 * Decodes the next bytes, or the end of the body; ends the answer where a limit is exceeded. `said`: the answer ended
 * before its body.
 */
function heard(bytes: Uint8Array | undefined, cutter: Cutter, decoder: Decoder, meter: Meter) {
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
 * The next bytes; undefined at the end. A broken connection counts as the end; the decoder decides whether the answer
 * is complete.
 */
function next(reader: Reader | undefined, { settled }: Decoder): Promise<Uint8Array | undefined> | undefined {
  const read = reader?.read().then(({ value }) => value, nothing);
  return settled ? soon(read, lingerMs) : read;
}

async function send(route: Route, scribe: BodyWriter, request: Request, signal: AbortSignal): Promise<Response> {
  const { endpoint, auth, clock, transport = fetchSafely } = route;
  const path = request.seal ? (route.sealPath ?? "") : route.path(request.model);
  const [below = "", query = ""] = path.split("?");
  const url = new URL(endpoint.url);
  url.pathname = url.pathname.replace(/\/+$/, "") + below;
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  const body = scribe.write(route.encode(request));
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

const exchangeOf = (response: Response | Failure, { shown, secrets }: RequestTarget, clock: Clock): TapExchange => ({
  time: clock.now(),
  head: `${"kind" in response ? response.message : response.status} ${shown}`,
  secrets,
});

async function refusalOf(
  response: Response,
  type: string,
  address: RequestTarget,
  model: string,
  clock: Clock,
): Promise<Failure | undefined> {
  if (!response.ok)
    return httpFailure(
      response.status,
      response.headers,
      (await readUpTo(response, limits.refusal)).text,
      address,
      model,
      clock.now(),
    );
  if (!type.includes("text/html")) return undefined;
  await response.body?.cancel().catch(nothing);
  return pageFailure(address);
}

/** Time for a server to list its models. */
const listMs = 2000;
const mostNames = 12;

/** Adds the server's model names to the failure for an unknown model. */
async function withNames(failure: Failure, route: Route, request: Request): Promise<Failure> {
  const { listing, endpoint, auth, tls } = route;
  if (!listing || auth.sign || failure.status !== 404) return failure;
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
async function* unsealed(): AsyncGenerator<readonly StreamEvent[]> {
  yield [{ type: "fail", failure: { kind: "missing", message: "this vendor makes no summary for itself" } }];
}
const nothing = () => undefined;

const addressOf = (route: Route, model: Model): RequestTarget => ({
  vendor: route.vendor,
  shown: route.endpoint.shown + route.path(model).split("?")[0],
  baseVariable: route.endpoint.variable,
  keyVariable: route.auth.variable,
  secrets: route.auth.secrets,
});
