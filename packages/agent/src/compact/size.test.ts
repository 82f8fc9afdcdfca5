import { expect, test } from "bun:test";
import { type SizeSettings, sizesOf, thresholdOf } from "./size.ts";

const wishes: SizeSettings = {
  thresholdPercent: -1,
  thresholdTokens: -1,
  reserveTokens: 16_384,
  reserve: "default",
  keepRecentTokens: 20_000,
};

test("the threshold leaves a part of every window free", () => {
  const table = [
    [4_000, 3_000],
    [8_000, 6_000],
    [16_000, 12_000],
    [32_000, 24_000],
    [200_000, 170_000],
    [1_000_000, 850_000],
    [0, 0],
  ] as const;
  for (const [window, threshold] of table) expect([window, thresholdOf(window, wishes)]).toEqual([window, threshold]);
});

test("a reserve that somebody set takes at most 60 % of a window; a percentage or a figure takes its place", () => {
  expect(thresholdOf(32_000, { ...wishes, reserve: "set" })).toBe(15_616);
  expect(thresholdOf(8_000, { ...wishes, reserve: "set" })).toBe(3_200);
  expect(thresholdOf(32_000, { ...wishes, thresholdPercent: 50 })).toBe(16_000);
  expect(thresholdOf(32_000, { ...wishes, thresholdPercent: 50, thresholdTokens: 9000 })).toBe(9000);
  expect(thresholdOf(32_000, { ...wishes, thresholdTokens: 99_000 })).toBe(32_000);
});

test("the shares of every window fit into it and leave a third of the room free", () => {
  for (const window of [4_000, 8_000, 16_000, 32_000, 128_000, 200_000, 1_000_000])
    for (const fixed of [500, 2_700, 12_000, window]) {
      const { room, keep, summary, words, protect, win, goal, threshold } = sizesOf(window, fixed, wishes);
      expect(fixed + keep + summary + words).toBeLessThanOrEqual(Math.max(goal, fixed));
      expect(goal).toBeLessThanOrEqual(Math.max(fixed, threshold - Math.floor(room / 3)));
      expect(keep).toBeLessThanOrEqual(20_000);
      expect(protect).toBeLessThanOrEqual(Math.min(40_000, room * 0.4));
      // The rows' own figures, wherever both have a place.
      expect(win).toBe(protect === 40_000 ? 20_000 : Math.floor(room * 0.1));
    }
});
