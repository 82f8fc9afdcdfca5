import { expect, test } from "bun:test";
import { slowest, testRuns, unreached } from "./reached.ts";

const report = `<testsuites><testsuite name="a.test.ts">
  <testcase name="says &quot;a&quot; &amp; b" classname="" time="0.5" file="a.test.ts" line="1" assertions="0" />
  <testcase name="reached" classname="" time="2.25" file="a.test.ts" line="4" assertions="3" />
  <testcase name="left out" classname="" time="0" file="a.test.ts" line="7" assertions="0">
    <skipped />
  </testcase>
  <testcase name="broken" classname="" time="1" file="a.test.ts" line="10" assertions="0">
    <failure type="AssertionError" />
  </testcase>
  <testcase name="waits" classname="" time="0.1" file="a.test.ts" line="13" assertions="0" />
</testsuite></testsuites>`;
const source = `test("says", () => {
  if (never) expect(a).toBe(1);
});
test("reached", () => {
  expect(a).toBe(1);
});
test.skip("left out", () => {
  expect(a).toBe(1);
});
test("broken", () => {
  expect(a).toBe(1);
});
test("waits", async () => {
  await until(() => a, "a");
});
`;

test("a test that passed and reached none of its assertions is named; others are not", () => {
  expect(unreached(testRuns(report), () => source)).toEqual([
    'a.test.ts:1  passed without reaching an assertion: says "a" & b',
  ]);
});

test("the slowest tests are listed, the slowest first", () => {
  expect(testRuns(report).map(({ state }) => state)).toEqual(["passed", "passed", "skipped", "failed", "passed"]);
  expect(slowest(testRuns(report), 2)).toEqual(["   2.3 s  a.test.ts  reached", "   1.0 s  a.test.ts  broken"]);
});
