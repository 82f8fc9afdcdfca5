import { flood, limits } from "../limit.ts";
import type { Failure, StreamEvent } from "../message/stream.ts";

/** Enforces the limits of a reply, for all protocols. */
export class Meter {
  #chars = 0;
  #pieces = 0;
  #sinceSaid = 0;

  /** Counts received bytes since the last content. */
  count(bytes: number): Failure | undefined {
    this.#sinceSaid += bytes;
    return this.#sinceSaid > limits.nothing ? flood("nothing") : undefined;
  }

  /** Cuts events at a limit, and returns the failure. */
  cut(events: StreamEvent[], payloads: number): Failure | undefined {
    this.#pieces += Math.max(events.length, payloads);
    if (this.#pieces > limits.pieces)
      return shorten(events, Math.max(0, events.length + limits.pieces - this.#pieces), "pieces");
    for (let at = 0; at < events.length; at++) {
      const event = events[at] as StreamEvent;
      const length = lengthOf(event);
      this.#chars += length;
      if (length > 0) this.#sinceSaid = 0;
      if (this.#chars > limits.reply) return shorten(events, at, "reply");
      if ("index" in event && event.index >= limits.blocks) return shorten(events, at, "blocks");
    }
    return undefined;
  }
}

/** Checks the size of a payload before it is parsed. */
export function excessOf(payload: string): Failure | undefined {
  if (payload.length > limits.event) return flood("event");
  let brackets = 0;
  for (let at = 0; at < payload.length; at++) {
    const code = payload.charCodeAt(at);
    if (code === openBrace || code === openBracket) brackets++;
  }
  return brackets > limits.brackets ? flood("brackets") : undefined;
}
const [openBrace, openBracket] = [0x7b, 0x5b];

function shorten(events: StreamEvent[], to: number, limit: "reply" | "pieces" | "blocks"): Failure {
  events.splice(to);
  return flood(limit);
}

function lengthOf(event: StreamEvent): number {
  switch (event.type) {
    case "text":
    case "thinking":
    case "args":
      return event.delta.length;
    case "call":
      return event.id.length + event.name.length;
    case "signature":
      return event.signature.length;
    case "start":
      return (event.responseId?.length ?? 0) + (event.responseModel?.length ?? 0);
    case "stop":
      return event.raw?.length ?? 0;
    default:
      return 0;
  }
}
