import { expect, test } from "bun:test";
import { noUsage } from "../message/message.ts";
import { type Price, priced } from "./price.ts";

const rates = (factor: number) => ({
  input: 1 * factor,
  output: 10 * factor,
  cacheRead: 0.1 * factor,
  cacheWrite: 1.25 * factor,
});
const usage = (more: object) => ({ ...noUsage(), ...more });
const total = (more: object, price: Price) => Number(priced(usage(more), price).cost.total.toFixed(6));

test("an answer costs its tokens by kind", () => {
  expect(total({ input: 1_000_000, output: 100_000, cacheRead: 1_000_000, cacheWrite: 1_000_000 }, rates(1))).toBe(
    3.35,
  );
});

test("a prompt above a threshold costs more in all its parts, cached ones included", () => {
  const price = {
    ...rates(1),
    tiers: [
      { inputTokensAbove: 500_000, ...rates(3) },
      { inputTokensAbove: 200_000, ...rates(2) },
    ],
  };
  expect(total({ input: 100_000, cacheRead: 100_000, output: 1000 }, price)).toBe(0.12);
  expect(total({ input: 100_001, cacheRead: 100_000, output: 1000 }, price)).toBe(0.240002);
  expect(total({ input: 500_001, output: 1000 }, price)).toBe(1.530003);
});

test("writing to a cache for an hour costs twice the input", () => {
  expect(total({ cacheWrite: 300_000, cacheWrite1h: 200_000 }, rates(1))).toBe(0.525);
});
