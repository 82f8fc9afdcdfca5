import { expect, test } from "bun:test";
import { failedFiles, testFiles, verdict } from "./summary.mjs";

const output = (...rows: string[]) =>
  ["(pass) counts 7 fail", "7 fail", ...rows, "Ran 9 tests across 2 files. [11.00ms]", ""].join("\n");

test("the last line counts what the runner counted", () => {
  expect(verdict({ ok: true, output: output(" 12 pass", " 0 fail", " 30 expect() calls") }, 2, 0)).toMatchObject({
    notes: [],
    line: "12 passed, 0 failed",
    code: 0,
    grown: { files: 2, tests: 12 },
  });
  expect(
    verdict({ ok: false, output: output(" 1 pass", " 1 skip", " 1 todo", " 2 fail", " 1 error") }, 2, 0),
  ).toMatchObject({
    notes: [],
    line: "1 passed, 2 failed, 2 skipped",
    code: 1,
  });
});

test("a failing step, a crashed runner and a run without tests are failures", () => {
  expect(verdict({ ok: true, output: output(" 12 pass", " 0 fail") }, 2, 2)).toMatchObject({
    notes: [],
    line: "12 passed, 2 failed",
    code: 1,
  });
  expect(verdict({ ok: false, output: "panic" }, 0, 0)).toMatchObject({ line: "0 passed, 1 failed", code: 1 });
  expect(verdict({ ok: false, output: output(" 12 pass", " 0 fail") }, 2, 0)).toMatchObject({
    notes: [],
    line: "12 passed, 1 failed",
    code: 1,
  });
  expect(verdict({ ok: true, output: output(" 0 pass", " 0 fail") }, 2, 0)).toMatchObject({
    notes: [],
    line: "0 passed, 1 failed",
    code: 1,
  });
});

test("a file of tests that did not run is a failure, however many others passed", () => {
  expect(verdict({ ok: true, output: output(" 12 pass", " 0 fail") }, 3, 0)).toMatchObject({
    notes: ["1 of 3 test files did not run"],
    line: "12 passed, 1 failed",
    code: 1,
  });
  expect(testFiles([import.meta.dir])).toContain("summary.test.ts");
});

test("a file of tests that is no longer there, or a test of one, is a failure until it is written down", () => {
  const ran = { ok: true, output: output(" 12 pass", " 3 skip", " 0 fail") };
  expect(verdict(ran, 2, 0, { known: { files: 2, tests: 15 }, exact: true })).toMatchObject({
    code: 0,
    notes: [],
    grown: undefined,
  });
  expect(verdict(ran, 2, 0, { known: { files: 3, tests: 15 }, exact: true })).toMatchObject({
    code: 1,
    line: "12 passed, 1 failed, 3 skipped",
    notes: [expect.stringContaining("2 files where there were 3")],
  });
  expect(verdict(ran, 2, 0, { known: { files: 2, tests: 16 }, exact: true })).toMatchObject({
    code: 1,
    notes: [expect.stringContaining("15 tests where there were 16")],
  });
  // Where a program is missing the counts may be lower: that is told, and fails nothing.
  expect(verdict(ran, 2, 0, { known: { files: 2, tests: 16 } })).toMatchObject({
    code: 0,
    notes: [expect.stringContaining("15 tests where there were 16")],
  });
});

test("what was added is counted, but not after a run in which something failed", () => {
  const known = { files: 2, tests: 10 };
  expect(verdict({ ok: true, output: output(" 12 pass", " 0 fail") }, 2, 0, { known }).grown).toEqual({
    files: 2,
    tests: 12,
  });
  expect(verdict({ ok: false, output: output(" 11 pass", " 1 fail") }, 2, 0, { known }).grown).toBeUndefined();
  expect(verdict({ ok: true, output: output(" 12 pass", " 0 fail") }, 2, 1, { known }).grown).toBeUndefined();
});

test("a test that fails beside others and passes by itself is named, and fails nothing", () => {
  const failing = (...names: string[]) => {
    const told = names.flatMap((name) => [`test/${name}.test.ts:`, `(fail) ${name} [1.00ms]`]);
    const again = names.map((name) => `(fail) ${name} [1.00ms]`);
    return output(...told, "", `${names.length} tests failed:`, ...again, " 8 pass", ` ${names.length} fail`);
  };
  expect(failedFiles(failing("a", "b", "a"))).toEqual(["test/a.test.ts", "test/b.test.ts"]);
  const ran = { ok: false, output: failing("a") };
  expect(verdict(ran, 2, 0)).toMatchObject({ line: "8 passed, 1 failed", code: 1 });
  expect(verdict(ran, 2, 0, { known: { files: 2, tests: 9 }, steady: true, exact: true })).toMatchObject({
    line: "9 passed, 0 failed",
    code: 0,
  });
  expect(verdict(ran, 2, 1, { known: { files: 2, tests: 9 }, steady: true, exact: true })).toMatchObject({
    line: "9 passed, 1 failed",
    code: 1,
  });
  expect(verdict(ran, 3, 0, { known: { files: 2, tests: 9 }, steady: true, exact: true })).toMatchObject({
    line: "9 passed, 1 failed",
    code: 1,
  });
});

test("what fails in many files, without a test, or outside of one is not tried again", () => {
  expect(failedFiles(output(...["a", "b", "c", "d"].flatMap((n) => [`${n}.test.ts:`, "(fail) x"]), " 4 fail"))).toEqual(
    [],
  );
  expect(failedFiles(output("a.test.ts:", "(fail) x", " 1 pass", " 2 fail"))).toEqual([]);
  expect(failedFiles(output("(fail) x", " 1 pass", " 1 fail"))).toEqual([]);
  expect(failedFiles("panic")).toEqual([]);
});
