import { expect, test } from "bun:test";
import { verdict } from "./summary.mjs";

const output = (...rows: string[]) =>
  ["(pass) counts 7 fail", "7 fail", ...rows, "Ran 9 tests across 2 files. [11.00ms]", ""].join("\n");

test("the last line counts what the runner counted", () => {
  expect(verdict({ ok: true, output: output(" 12 pass", " 0 fail", " 30 expect() calls") }, 0)).toEqual({
    line: "12 passed, 0 failed",
    code: 0,
  });
  expect(verdict({ ok: false, output: output(" 1 pass", " 1 skip", " 1 todo", " 2 fail", " 1 error") }, 0)).toEqual({
    line: "1 passed, 2 failed, 2 skipped",
    code: 1,
  });
});

test("a failing step, a crashed runner and a run without tests are failures", () => {
  expect(verdict({ ok: true, output: output(" 12 pass", " 0 fail") }, 2)).toEqual({
    line: "12 passed, 2 failed",
    code: 1,
  });
  expect(verdict({ ok: false, output: "panic" }, 0)).toEqual({ line: "0 passed, 1 failed", code: 1 });
  expect(verdict({ ok: false, output: output(" 12 pass", " 0 fail") }, 0)).toEqual({
    line: "12 passed, 1 failed",
    code: 1,
  });
  expect(verdict({ ok: true, output: output(" 0 pass", " 0 fail") }, 0)).toEqual({
    line: "0 passed, 1 failed",
    code: 1,
  });
});
