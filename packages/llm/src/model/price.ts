import type { Usage } from "../message/message.ts";

/** Dollars per million tokens. */
export interface Rates {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
}

/** What a model costs; a long prompt may cost more, and then all of its request does. */
export interface Price extends Rates {
  tiers?: readonly (Rates & { inputTokensAbove: number })[];
}

/** What an answer has cost. */
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

/** What is kept for an hour costs twice what is only read, wherever that can be asked for. */
const hourFactor = 2;

function ratesFor({ input, cacheRead, cacheWrite }: Omit<Usage, "cost">, price: Price): Rates {
  const prompt = input + cacheRead + cacheWrite;
  const reached = (price.tiers ?? [])
    .filter((tier) => prompt > tier.inputTokensAbove)
    .sort((a, b) => b.inputTokensAbove - a.inputTokensAbove);
  return reached[0] ?? price;
}
