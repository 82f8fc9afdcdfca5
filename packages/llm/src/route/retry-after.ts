import { durationIn } from "../protocol/failure.ts";

/**
 * Wait that a server asks for: `retry-after-ms`, `retry-after` in seconds or as a date, or the reset of an exhausted
 * limit.
 */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const ms = amount(headers.get("retry-after-ms"));
  if (ms !== undefined) return Math.ceil(ms);
  // Relative to the server's clock if it sends it: ours may be wrong.
  const serverTime = Date.parse(headers.get("date") ?? "");
  const clock = Number.isNaN(serverTime) ? now : serverTime;
  const header = headers.get("retry-after");
  return (
    (header === null ? undefined : waitIn(header, clock)) ??
    longest(limits.map((name) => resetOf(name, headers, clock)))
  );
}

/** Headers of rate limits; `%` stands for `remaining` and `reset`. */
const limits = [
  ...["x-ratelimit-%-requests", "x-ratelimit-%-tokens", "x-ratelimit-%"],
  ...["requests", "tokens", "input-tokens", "output-tokens"].map((kind) => `anthropic-ratelimit-${kind}-%`),
];

/** Wait for one limit, if nothing is left of it. */
function resetOf(name: string, headers: Headers, clock: number): number | undefined {
  const reset = headers.get(name.replace("%", "reset"));
  return reset === null || amount(headers.get(name.replace("%", "remaining"))) !== 0 ? undefined : waitIn(reset, clock);
}

/** Parses `20`, `1.5s`, `6m0s`, `120ms`, a date, or a Unix time in seconds or milliseconds. */
function waitIn(text: string, clock: number): number | undefined {
  const plain = amount(text);
  if (plain !== undefined)
    return plain > longAgo * 1000
      ? Math.max(0, plain - clock)
      : plain > longAgo
        ? Math.max(0, plain * 1000 - clock)
        : Math.ceil(plain * 1000);
  const length = durationIn(text.trim());
  if (length !== undefined) return length;
  // The date parser takes bare numbers for years.
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock);
}

/** A larger number is a Unix time, not a wait. */
const longAgo = 1_000_000_000;

function longest(waits: readonly (number | undefined)[]): number | undefined {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

function amount(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
