import { expect, test } from "bun:test";
import { type Result, rowsOf } from "./report.ts";

test("a goal is judged by medians, and what was not measured is a miss", () => {
  const result = (pith: number[], floor: number[]): Result => ({
    work: "w",
    title: "w",
    measures: [
      { of: "wall", title: "wall", unit: "ms", goal: { timesFloor: 1.5 } },
      { of: "wall", title: "wall", unit: "ms", goal: { atMost: 30 } },
      { of: "wall", title: "wall", unit: "ms" },
    ],
    pith: pith.map((wall) => ({ wall })),
    floor: floor.map((wall) => ({ wall })),
  });
  const verdicts = (...args: [number[], number[]]) => rowsOf([result(...args)]).map((row) => row.verdict);
  expect(verdicts([29, 90, 10], [20, 20, 20])).toEqual(["pass", "pass", ""]);
  expect(verdicts([31, 32, 10, 90], [20, 21])).toEqual(["miss", "miss", ""]);
  expect(verdicts([], [20])).toEqual(["miss", "miss", ""]);
  expect(rowsOf([result([30, 10, 20], [10])])[0]).toMatchObject({
    pith: "20.0 (10.0)",
    ratio: "2.00×",
    best: "1.00×",
    goal: "≤ 1.5×",
  });
});
