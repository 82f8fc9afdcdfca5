import { expect, test } from "bun:test";
import { openReading } from "../../../test/read.ts";
import { read } from "./read.ts";
import { showSummary } from "./summary.ts";

const { options, put, run } = openReading("read-summary");
const code = (functions: number): string =>
  Array.from({ length: functions }, (_, i) => `function f${i}() {\n${`  step(${i});\n`.repeat(6)}}\n`).join("");
const show = (text: string, bytes = 32 * 1024) =>
  showSummary(
    "/x/a.ts",
    text,
    { limit: 1000, bytes },
    { name: "a.ts", source: { path: "/x/a.ts" }, display: "hashline", tag: "0A1B" },
  );

test("long code comes without its bodies, and says which lines those are", async () => {
  const got = await show(code(20));
  expect(got?.text).toStartWith("[a.ts#0A1B]\n1-8:function f0() { step(0); .. }\n9-16:");
  expect(got?.meta?.notes?.[0]).toStartWith(
    "100 lines left out; read what you need, as a.ts:3-7,11-15,19-23 and 17 more",
  );
});

test("however long the code is, its summary fits, and the rest is counted with its selector", async () => {
  const got = await show(`${code(2400)}const last = 1;\n`);
  expect(got?.text.length).toBeLessThan(33_000);
  expect(got?.text).toContain("1-8:function f0() { .. }");
  const [, rows, from] = /^(\d+) more rows in a\.ts:(\d+)-19201$/.exec(got?.meta?.notes?.[1] ?? "") ?? [];
  expect(Number(rows) + (got?.text.match(/function f/g)?.length ?? 0)).toBe(2400);
  expect(got?.text).toEndWith(`\n${from}-19201:...`);
  put("many.ts", code(1800));
  const first = await run("many.ts");
  const [next = ""] = /many\.ts:\d+-14400$/.exec(first.meta?.notes?.[1] ?? "") ?? [];
  const second = await run(next);
  expect(second.text).toMatch(/\n\d+-14400:function f1799\(\) \{ step\(1799\); \.\. \}$|f1799\(\) \{ \.\. \}$/);
});

test("code longer than a page comes as declarations, however short its functions are", async () => {
  const text = Array.from({ length: 3300 }, (_, i) => `function g${i}() {\n  one();\n  two();\n}\n`).join("");
  const got = await show(text);
  expect(got?.text).toStartWith("[a.ts#0A1B]\n1-4:function g0() { .. }\n5-8:function g1() { .. }");
  expect(await show(text.slice(0, text.indexOf("function g50")))).toBeUndefined();
});

test("every range that is left out is named, at its row or below", async () => {
  const got = await show(code(200));
  const named = [...(got?.text.matchAll(/^(\d+)-(\d+):/gm) ?? [])].map(([, from, to]) => `${from}-${to}`);
  expect(named).toEqual(Array.from({ length: 200 }, (_, i) => `${i * 8 + 1}-${i * 8 + 8}`));
});

test("a long comment gives way to what the code says", async () => {
  const doc = `/**\n * What it is for.\n${" * and more words\n".repeat(12)} */\n`;
  const short = "// One word.\n";
  const text = Array.from(
    { length: 20 },
    (_, i) => `${i % 2 ? doc : short}function f${i}() {\n  // The trick.\n${`  step(${i});\n`.repeat(8)}}\n`,
  ).join("");
  const got = (await show(text))?.text ?? "";
  expect(got).not.toContain("and more words");
  for (const kept of ["// One word.", "/**\n", " * What it is for.", "// The trick.", "function f19() {"])
    expect(got).toContain(kept);
});

test("long code keeps its declarations, and the ranges named below bring the rest", async () => {
  const functions = Array.from(
    { length: 60 },
    (_, i) => `export function f${i}(a: number): number {\n${"  a += 1;\n".repeat(8)}  return a;\n}\n`,
  ).join("\n");
  put("code.ts", functions);
  const got = await run("code.ts");
  for (let i = 0; i < 60; i++) expect(got.text).toContain(`export function f${i}(a: number): number { a += 1; .. }`);
  expect(got.text).toStartWith("[code.ts]\n1-11:export function f0(a: number): number { a += 1; .. }\n12:\n");
  const [note] = got.meta?.notes ?? [];
  expect(note).toMatch(/^480 lines left out; read what you need, as code\.ts:3-10,15-22,27-34 and 57 more/);
  expect(got.data).toMatchObject({ summary: { elidedSpans: 60, elidedLines: 480 } });
  expect((await run("code.ts", read({ ...options, summarize: "off" }))).text).toContain("2:  a += 1;");
  expect((await run("code.ts:2-10")).text).toContain("2:  a += 1;");
  expect((await run("code.ts:raw")).text).toBe(functions);
});
