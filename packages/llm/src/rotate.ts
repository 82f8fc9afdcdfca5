import type { Clock } from "@pith/kit";
import type { ApiKey } from "./credential/credential.ts";
import type { Failure, Stream } from "./message/stream.ts";

/** A stream that uses one key. */
export interface KeyStream {
  key: ApiKey | undefined;
  stream: Stream;
}

export interface Rotation {
  clock: Clock;
  /** Called when a key has reached its limit. */
  onBlocked(key: ApiKey, until: number): void;
}

/**
 * Rotates keys: a request refused for its key is sent again with the next one, if the answer has not begun. It fails
 * only when all keys have to wait, with the shortest wait.
 */
export function rotateKeys(keyStreams: readonly KeyStream[], { clock, onBlocked }: Rotation): Stream {
  const [only] = keyStreams;
  if (keyStreams.length === 1 && only) return only.stream;
  const until = new Map(keyStreams.map((keyStream) => [keyStream, keyStream.key?.blockedUntil ?? 0]));
  const ready = (tried: ReadonlySet<KeyStream>) =>
    keyStreams.find((keyStream) => !tried.has(keyStream) && (until.get(keyStream) ?? 0) <= clock.now());
  const stream: Stream = async function* (request, signal) {
    let last: Failure | undefined;
    const tried = new Set<KeyStream>();
    for (let keyStream = ready(tried) ?? soonest(until); keyStream; keyStream = ready(tried)) {
      tried.add(keyStream);
      const failure = yield* play(keyStream, request, signal);
      if (!failure) return;
      last = failure;
      const end = failure.kind === "auth" ? Number.POSITIVE_INFINITY : clock.now() + (failure.retryAfterMs ?? restMs);
      until.set(keyStream, end);
      if (keyStream.key && Number.isFinite(end)) onBlocked(keyStream.key, end);
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

/** Rest of a key when the server does not say how long. */
const restMs = 60_000;
/** Failures that another key may avoid. */
const ofTheKey: ReadonlySet<Failure["kind"]> = new Set(["rate", "auth"]);

/** Passes events on; a failure of the key at the very beginning is returned instead. */
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
