import type { Clock } from "@pith/kit";
import type { ApiKey } from "./credential/credential.ts";
import type { Failure, Stream } from "./message/stream.ts";

/** One way to a model: the same request with another key. */
export interface KeyStream {
  key: ApiKey | undefined;
  stream: Stream;
}

export interface Rotation {
  clock: Clock;
  /** A key has reached its limit; whoever keeps it should know. */
  onBlocked(key: ApiKey, until: number): void;
}

/**
 * Several keys behave like one that reaches its limit later: a request that is turned away for its key goes out again
 * with the next, as long as nothing was said. Only when all have to wait is it a failure, with the shortest wait.
 */
export function rotateKeys(lanes: readonly KeyStream[], { clock, onBlocked }: Rotation): Stream {
  const [only] = lanes;
  if (lanes.length === 1 && only) return only.stream;
  const until = new Map(lanes.map((lane) => [lane, lane.key?.blockedUntil ?? 0]));
  const ready = (tried: ReadonlySet<KeyStream>) =>
    lanes.find((lane) => !tried.has(lane) && (until.get(lane) ?? 0) <= clock.now());
  const stream: Stream = async function* (request, signal) {
    let last: Failure | undefined;
    const tried = new Set<KeyStream>();
    for (let lane = ready(tried) ?? soonest(until); lane; lane = ready(tried)) {
      tried.add(lane);
      const failure = yield* play(lane, request, signal);
      if (!failure) return;
      last = failure;
      const end = failure.kind === "auth" ? Number.POSITIVE_INFINITY : clock.now() + (failure.retryAfterMs ?? restMs);
      until.set(lane, end);
      if (lane.key && Number.isFinite(end)) onBlocked(lane.key, end);
    }
    if (!last) return;
    const wait = Math.min(...until.values()) - clock.now();
    yield [
      {
        type: "fail",
        failure: Number.isFinite(wait) && last.kind !== "auth" ? { ...last, retryAfterMs: Math.max(0, wait) } : last,
      },
    ];
  };
  stream.prepare = (request) => ready(new Set())?.stream.prepare?.(request);
  return stream;
}

/** How long a key rests when the server does not say. */
const restMs = 60_000;
/** Another key may help here; nowhere else. */
const ofTheKey: ReadonlySet<Failure["kind"]> = new Set(["rate", "auth"]);

/** Hands the events on; a failure of the key at the very beginning is kept back and returned. */
async function* play({ stream }: KeyStream, request: Parameters<Stream>[0], signal: AbortSignal) {
  let said = false;
  for await (const events of stream(request, signal)) {
    const last = events.at(-1);
    if (!said && events.length === 1 && last?.type === "fail" && ofTheKey.has(last.failure.kind)) return last.failure;
    said = true;
    yield events;
  }
  return undefined;
}

const soonest = (until: ReadonlyMap<KeyStream, number>): KeyStream | undefined =>
  [...until].sort(([, a], [, b]) => a - b)[0]?.[0];
