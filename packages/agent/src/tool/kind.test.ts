import { expect, test } from "bun:test";
import { kindOf } from "./kind.ts";

test("a recorded kind stays what it was, also one that nobody here knows; without one it is prose", () => {
  expect([{ kind: "diff" }, { kind: "chart" }, { kind: 3 }, {}, undefined].map(kindOf)).toEqual([
    "diff",
    "chart",
    "prose",
    "prose",
    "prose",
  ]);
});
