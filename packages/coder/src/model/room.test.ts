import { expect, test } from "bun:test";
import { roomOf } from "./room.ts";

test("one answer takes a twentieth of the window at most, whether that is known or assumed", () => {
  expect(roomOf({ contextWindow: 16_000 }, 32_000)).toBe(2400);
  expect(roomOf({ contextWindow: 128_000 }, 32_000)).toBe(19_200);
  expect(roomOf({ contextWindow: 1_000_000 }, 32_000)).toBe(32_000);
  expect(roomOf({ contextWindow: 0 }, 32_000)).toBe(32_000);
});
