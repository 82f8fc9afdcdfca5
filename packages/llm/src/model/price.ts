import type { Usage } from "../message/message.ts";

/** Dollars per million tokens. */
export interface Rates {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** Prices of a model; above a tier's prompt length the whole request costs the tier's rates. */
export interface Price extends Rates {
  tiers?: readonly (Rates & { inputTokensAbove: number })[];
}

/** Adds the cost to an answer's token counts. */
export function priced(usage: Omit<Usage, "cost">, price: Price): Usage {
  const rates = ratesFor(usage, price);
  const dollars = (tokens: number, perMillion: number) => (tokens * perMillion) / 1_000_000;
  const input = dollars(usage.input, rates.input);
  const output = dollars(usage.output, rates.output);
  const cacheRead = dollars(usage.cacheRead, rates.cacheRead);
  const hour = usage.cacheWrite1h ?? 0;
  const cacheWrite = dollars(usage.cacheWrite - hour, rates.cacheWrite) + dollars(hour, rates.input * hourFactor);
  return { ...usage, cost: { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite } };
}

/** Factor over the input rate for cache entries kept for an hour, the same at every vendor. */
const hourFactor = 2;

function ratesFor({ input, cacheRead, cacheWrite }: Omit<Usage, "cost">, price: Price): Rates {
  const prompt = input + cacheRead + cacheWrite;
  const reached = (price.tiers ?? [])
    .filter((tier) => prompt > tier.inputTokensAbove)
    .sort((a, b) => b.inputTokensAbove - a.inputTokensAbove);
  return reached[0] ?? price;
}
