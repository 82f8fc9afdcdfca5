import { expect, test } from "bun:test";
import { failures } from "./run.ts";

test.each([
  ["a.go:3:1: undefined: x\nb.go:4:2: undefined: y\n", 2],
  ["a.ts(1,1): error TS1\nb.ts(2,2): error TS2\n", 2],
  [" 12 pass\n 3 fail\n", 3],
  ["FAILED a\n1 passed, 7 failed in 2s\n", 7],
  ["Found 0 errors\nnot ok 1\nnot ok 2\n", 2],
  ["  ✗ one\n  ✗ two\n  ✗ two\n", 2],
  ["", 1],
])("in %j %p failures are counted", (text, count) => {
  expect(failures(text)).toBe(count);
});
