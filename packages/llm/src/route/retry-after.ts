/** How long a server asks us to wait: `retry-after-ms`, or `retry-after` as seconds or as a date. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const ms = amount(headers.get("retry-after-ms"));
  if (ms !== undefined) return Math.ceil(ms);
  const given = headers.get("retry-after");
  const seconds = amount(given);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  // The parser of dates takes bare numbers for years.
  const at = /[a-z]/i.test(given ?? "") ? Date.parse(given ?? "") : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  // Against the server's own clock where it tells it: ours may be wrong.
  const base = Date.parse(headers.get("date") ?? "");
  return Math.max(0, at - (Number.isNaN(base) ? now : base));
}

function amount(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
