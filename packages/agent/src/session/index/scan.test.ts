import { expect, test } from "bun:test";
import { scanLines } from "./scan.ts";

test("lines are cut wherever the parts of a file begin, and one that is endless is not held", () => {
  const short = "abc\n\ndef\r\n";
  const long = "x".repeat(5 << 20);
  const bytes = Buffer.from(`${short}${long}\nlast`);
  const read = (from: number, to: number) => bytes.subarray(from, to);
  const lines = (longest?: number) =>
    [...scanLines(read, 0, bytes.length, longest)].map((line) => [line.offset, line.bytes.length, line.whole]);
  expect(lines()).toEqual([
    [0, 3, true],
    [4, 0, true],
    [5, 4, true],
    [10, long.length, true],
    [11 + long.length, 4, false],
  ]);
  expect(lines(2 << 20)).toEqual([
    [0, 3, true],
    [4, 0, true],
    [5, 4, true],
    [10, 1, true],
    [11 + long.length, 4, false],
  ]);
});
