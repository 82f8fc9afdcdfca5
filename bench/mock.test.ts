import { expect, test } from "bun:test";
import { sharedLength } from "./mock.ts";

test("what two requests have in common is counted from their start to the first difference", () => {
  for (const [a, b, shared] of [
    ["", "", 0],
    ["abc", "abc", 3],
    ["abc", "abd", 2],
    ["abc", "xbc", 0],
    ["ab", "abcd", 2],
    ["abcd", "ab", 2],
  ] as const)
    expect([a, b, sharedLength(a, b)]).toEqual([a, b, shared]);
});
