import { expect, test } from "bun:test";
import { spentUp } from "./budget.ts";

const left = (wanted: object, spent: object) => spentUp(wanted as never, { cost: 0, tokens: 0, ...spent } as never);

test("a budget is used up when all of it is spent, and not before", () => {
  expect(left({}, { cost: 1e6, tokens: 1e9 })).toBeUndefined();
  expect(left({ maxCost: 0.5 }, { cost: 0.4999 })).toBeUndefined();
  expect(left({ maxCost: 0.5 }, { cost: 0.5 })).toBe("The budget of $0.5 (--max-cost) is used up: $0.5000 so far.");
  expect(left({ maxCost: 0.5 }, { cost: 0.6 })).toContain("$0.6000");
  expect(left({ maxTokens: 100 }, { tokens: 99 })).toBeUndefined();
  expect(left({ maxTokens: 100 }, { tokens: 100 })).toContain("100 tokens (--max-tokens) is used up: 100 so far");
  expect(left({ maxCost: 1, maxTokens: 100 }, { cost: 0.1, tokens: 200 })).toContain("--max-tokens");
  expect(left({ maxCost: 0 }, {})).toContain("$0 (--max-cost) is used up");
});
