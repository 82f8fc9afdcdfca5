import type { Failure } from "@pith/llm";

/** Tells in one line of a request that failed: what went wrong, and when it is tried again. */
export function retryLine({ message }: Failure, delayMs: number): string {
  const [first = ""] = message.split("\n", 1);
  const why = first.trim();
  const when = delayMs < 500 ? "now" : `in ${Math.ceil(delayMs / 1000)} s`;
  return `${why}${/[.!?…]$/.test(why) ? "" : "."} Trying again ${when}.`;
}
