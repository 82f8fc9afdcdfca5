import { expect, test } from "bun:test";
import { assertingHelpers, judgeTests } from "./assertion.ts";

const told = (body: string, more = "") =>
  judgeTests({ path: "a.test.ts", text: `${more}\ntest("it", async () => {\n${body}\n});\n` }).map((one) =>
    one.replace(/^a\.test\.ts:(\d+) {2}/, ""),
  );
const none = "a test without an assertion";
const maybe = "a test whose assertions all stand behind a condition";
const constant = "an assertion on a constant";
const wait = "a wait for a time: wait for a state, or say in a comment why there is none";
const unseen = "an error that nobody sees: say in a comment why it does not matter";

const wrong: [string, string, string[]][] = [
  ["nothing", "run();", [none]],
  ["a call with the word in a text", 'run("expect(1)");', [none]],
  ["a condition", "if (done.ok) expect(done.value).toBe(1);", [maybe]],
  ["a condition in a loop", "for (const one of all) if (one.ok) expect(one).toBe(1);", [maybe]],
  ["a choice", "done.ok ? expect(done).toBe(1) : undefined;", [maybe]],
  ["an error that need not come", "try { run(); } catch (error) { expect(error).toBe(1); }", [maybe]],
  ["a case", "switch (a) { case 1: expect(a).toBe(1); }", [maybe]],
  ["a constant", "expect(true).toBe(true);", [constant]],
  ["a text", 'expect("a").toBe("a");', [constant]],
  ["a pause", "await Bun.sleep(500); expect(a).toBe(1);", [wait]],
  ["a pause of a name", "await sleep(1_000); expect(a).toBe(1);", [wait]],
  ["an error that is lost", "expect(a).toBe(1); await run().catch(() => {});", [unseen]],
  ["an error that is caught", "expect(a).toBe(1); try { run(); } catch {}", [unseen]],
];
test.each(wrong)("%s is found", (_, body, findings) => {
  expect(told(body)).toEqual(findings);
});

const right: [string, string, string?][] = [
  ["an assertion", "expect(a).toBe(1);"],
  ["one in a loop", "for (const one of all) expect(one).toBe(1);"],
  ["one in a callback", "fc.assert(fc.property(any, (one) => { expect(one).toBe(1); }));"],
  ["one beside those behind a condition", "expect(a).toBe(1); if (a) expect(b).toBe(1);"],
  ["both sides of a condition", "if (a) expect(b).toBe(1); else expect(b).toBe(2);"],
  ["a condition or an error", 'if (a) expect(b).toBe(1); else throw new Error("no");'],
  ["one that is part of a condition", "if (expect(a).toBe(1)) run();"],
  ["a state that is waited for", 'await until(() => a, "a");'],
  ["a function of the file", "check(a);", "const check = (a: number) => expect(a).toBe(1);"],
  ["a function that calls another", "await at.sees();", "const at = { sees: async () => until(() => true) };"],
  ["a pause between two looks", "while (!a) await Bun.sleep(50); expect(a).toBe(1);"],
  ["a pause with its reason", "// The promise is about time.\nawait Bun.sleep(500); expect(a).toBe(1);"],
  ["a short pause", "await Bun.sleep(5); expect(a).toBe(1);"],
  ["an error with its reason", "expect(a).toBe(1);\n// It has ended.\nawait run().catch(() => {});"],
];
test.each(right.map(([name, body, more = ""]) => [name, body, more] as const))("%s is right", (_, body, more) => {
  expect(told(body, more)).toEqual([]);
});

test("tests of a table or with a condition are looked at like any other, and helpers of other files count", () => {
  const text = 'test.each([1])("it", () => run());\ntest.skipIf(a)("it", () => { run(); });\n';
  expect(judgeTests({ path: "a.test.ts", text })).toEqual([`a.test.ts:1  ${none}`, `a.test.ts:2  ${none}`]);
  const helpers = assertingHelpers([
    { path: "b.ts", text: "export function run() { return inner(); }" },
    { path: "c.ts", text: "export const inner = () => { expect(1 + 1).toBe(2); };" },
  ]);
  expect([helpers.has("run"), helpers.has("inner")]).toEqual([true, true]);
  expect(judgeTests({ path: "a.test.ts", text }, helpers)).toEqual([]);
});
