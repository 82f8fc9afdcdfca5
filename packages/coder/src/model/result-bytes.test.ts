import { expect, test } from "bun:test";
import { resultBytes } from "./result-bytes.ts";

test("one answer takes a twentieth of the window at most, but never less than 8 KB or a fifth of a tiny one", () => {
  expect(resultBytes({ contextWindow: 4000 }, 32_000)).toBe(2400);
  expect(resultBytes({ contextWindow: 16_000 }, 32_000)).toBe(8192);
  expect(resultBytes({ contextWindow: 16_000 }, 4000)).toBe(4000);
  expect(resultBytes({ contextWindow: 128_000 }, 32_000)).toBe(19_200);
  expect(resultBytes({ contextWindow: 1_000_000 }, 32_000)).toBe(32_000);
  expect(resultBytes({ contextWindow: 0 }, 32_000)).toBe(32_000);
});
