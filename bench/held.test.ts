import { expect, test } from "bun:test";
import { boundsFor, type Figure, judge, tightened } from "./held.ts";

const bounds: Figure = { request: 1, cpu: 0.9, memory: 1, rpc: 1 };
const figures = (cpu: number, busy = 0): Figure[] =>
  Array.from({ length: 20 }, (_, at) => ({
    request: 20 + (at % 7),
    cpu: cpu + (at < 14 ? busy : 0),
    memory: 40,
    rpc: 20,
  }));
const verdicts = (release: Figure[], now: Figure[]) =>
  judge({ release, now }, bounds).flatMap(({ measure, verdict }) => (verdict === "slipped" ? [measure] : []));

test("a start that became dearer than what was written down is named, by more than noise only", () => {
  expect(verdicts(figures(30), figures(27))).toEqual([]);
  expect(verdicts(figures(30), figures(28))).toEqual([]);
  expect(verdicts(figures(30), figures(29))).toEqual(["cpu"]);
});

test("what a busy machine adds to most rounds counts for nothing", () => {
  expect(verdicts(figures(30), figures(27, 50))).toEqual([]);
});

test("what could not be measured does not hold", () => {
  expect(verdicts(figures(30), figures(Number.NaN))).toEqual(["cpu"]);
  expect(verdicts(figures(30), [])).toEqual(["request", "cpu", "memory", "rpc"]);
});

test("bounds become lower and never higher, and count for the release they were measured against", () => {
  const rows = judge({ release: figures(30), now: figures(24) }, bounds);
  expect(tightened(rows, bounds, "v1").bounds).toEqual({ request: 1, cpu: 0.8, memory: 1, rpc: 1 });
  const dearer = judge({ release: figures(30), now: figures(40) }, bounds);
  expect(tightened(dearer, bounds, "v1").bounds.cpu).toBe(0.9);
  expect(boundsFor({ since: "v1", bounds }, "v1")).toBe(bounds);
  expect(boundsFor({ since: "v1", bounds }, "v2").cpu).toBe(1);
});
