import { expect, test } from "bun:test";
import { showSummary } from "./summary.ts";

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
