import { expect, test } from "bun:test";
import { openReading } from "../../test/read.ts";
import { read } from "./read.ts";
import { showSummary } from "./summary.ts";

const { options, put, run } = openReading("read-summary");
const code = (functions: number): string =>
  Array.from({ length: functions }, (_, i) => `function f${i}() {\n${`  step(${i});\n`.repeat(6)}}\n`).join("");
const show = (text: string) =>
  showSummary("/x/a.ts", text, { name: "a.ts", source: { path: "/x/a.ts" }, display: "hashline", tag: "0A1B" });

test("long code comes without its bodies, and says which lines those are", async () => {
  const got = await show(code(20));
  expect(got?.text).toStartWith("[a.ts#0A1B]\n1-8:function f0() { .. }\n9-16:");
  expect(got?.meta?.notes?.[0]).toStartWith("120 lines elided; re-read needed ranges, e.g. a.ts:2-7,10-15,");
});

test("what is still too long without its bodies is read page by page instead", async () => {
  expect(await show(code(2400))).toBeDefined();
  expect(await show(`${code(1000)}${"type T = 1;\n".repeat(2100)}`)).toBeUndefined();
});

test("long code keeps its declarations, and the ranges named below bring the rest", async () => {
  const functions = Array.from(
    { length: 30 },
    (_, i) => `export function f${i}(a: number): number {\n${"  a += 1;\n".repeat(8)}  return a;\n}\n`,
  ).join("\n");
  put("code.ts", functions);
  const got = await run("code.ts");
  for (let i = 0; i < 30; i++) expect(got.text).toContain(`export function f${i}(a: number): number { .. }`);
  expect(got.text).toStartWith("[code.ts]\n1-11:export function f0(a: number): number { .. }\n12:\n");
  const [note] = got.meta?.notes ?? [];
  expect(note).toMatch(/^270 lines elided; re-read needed ranges, e\.g\. code\.ts:2-10,14-22,/);
  expect(got.data).toMatchObject({ summary: { elidedSpans: 30, elidedLines: 270 } });
  expect((await run("code.ts", read({ ...options, summarize: "off" }))).text).toContain("2:  a += 1;");
  expect((await run("code.ts:2-10")).text).toContain("2:  a += 1;");
  expect((await run("code.ts:raw")).text).toBe(functions);
});
