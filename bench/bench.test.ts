import { expect, test } from "bun:test";
import { join } from "node:path";
import { openLab } from "./lab.ts";
import { sharedLength } from "./mock.ts";
import { type Result, rowsOf } from "./report.ts";
import { ask, loop } from "./turn.ts";

test("the floor answers a prompt and does a loop of calls against the mock", async () => {
  await using lab = await openLab("/nonexistent");
  const run = await ask(lab, "floor", 300);
  expect(run.seen).toHaveLength(1);
  expect(run.ended - run.began).toBeGreaterThan((run.seen[0]?.arrived ?? 0) - run.began);
  expect(run.cpuMs).toBeGreaterThan(0);
  const shell = await loop(
    lab,
    "floor",
    { play: "calls", turns: 3, tool: "bash", input: { command: "echo turn {n}" } },
    "turn 3",
  );
  expect(shell.turn).toBeGreaterThan(0);
  const read = {
    play: "calls",
    turns: 2,
    tool: "read",
    input: { path: join(lab.project, "src", "file-{n}.ts") },
  } as const;
  expect((await loop(lab, "floor", read, "value199")).rss).toBeGreaterThan(1);
});

test("a run that did not do the work is not counted", async () => {
  await using lab = await openLab("/bin/true");
  await expect(ask(lab, "pith", 10)).rejects.toThrow(/characters of the answer were not printed/);
  await expect(loop(lab, "pith", { play: "calls", turns: 3, tool: "bash", input: {} }, "")).rejects.toThrow(
    /0 of 3 results/,
  );
  await using broken = await openLab("/bin/false");
  await expect(broken.start("pith", [])).rejects.toThrow(/ended with 1/);
});

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
