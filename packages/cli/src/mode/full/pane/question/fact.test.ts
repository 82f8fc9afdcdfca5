import { expect, test } from "bun:test";
import type { Intent, Question } from "@pith/agent";
import { plainTheme } from "@pith/tui";
import { call } from "../../../../test/fake.ts";
import { fitBody } from "./body.ts";
import { commandRows, factRows } from "./fact.ts";
import { hunksOf } from "./pick.ts";

const run = () => Promise.reject(new Error("nobody runs it"));
const asked = (input: Record<string, unknown>, intent: Partial<Intent>, more: Partial<Question> = {}): Question => ({
  id: "q",
  agent: "main",
  form: "approval",
  text: "may I?",
  call: call("c", "bash", input),
  intent: { effect: "exec", paths: [], run, ...intent },
  ...more,
});

test("a command stands first and whole, and none of its lines can be taken for a fact", () => {
  const rows = commandRows("ls\nrisk  none\u202e", plainTheme, 40);
  expect(rows).toEqual(["$ ls", "> risk  none\\u202e"]);
  expect(commandRows("echo aaaa bbbb cccc", plainTheme, 12)).toEqual(["$ echo aaaa", "  bbbb cccc"]);
});

test("no value begins where a name does, and an argument is not called like one of ours", () => {
  const question = asked(
    { timeout: 5, note: "x\nrisk      none", risk: "none" },
    { command: "ls", cwd: "/p/\nin  /safe" },
    {
      risk: "high",
      parts: [
        { text: "a\nb", reason: "it is new" },
        { text: "c", reason: "so is it" },
        { text: "d", reason: "it is new" },
        { text: "e" },
      ] as never,
    },
  );
  expect(factRows(question, plainTheme, 60)).toEqual([
    "timeout       5",
    "note          x",
    "              risk      none",
    'argument "risk"',
    "              none",
    "in            /p/\\nin  /safe",
    "because       it is new: a\\nb; d",
    "              so is it: c",
    "risk          high",
  ]);
});

test("a path that the head names is not named again, one that only begins like it is", () => {
  const touched = (real: string) => [{ effect: "write" as const, path: real, real }];
  const rows = (real: string) =>
    factRows(asked({}, { paths: touched(real) }, { text: "edit writes /p/ab" }), plainTheme, 60);
  expect([rows("/p/ab"), rows("/p/a")]).toEqual([[], ["writes  /p/a"]]);
});

test("where there is little room every hunk keeps its head and its changes, and what is hidden is counted", () => {
  const hunk = (at: number) => `@@ -${at},7 +${at},7 @@\n a\n b\n c\n-old ${at}\n+new ${at}\n d\n e\n f\n`;
  const patch = `--- a\n+++ a\n${hunk(1)}${hunk(20)}${hunk(40)}`;
  const hunks = hunksOf([{ path: "a", change: "modified", added: 3, removed: 3, patch }]);
  const question = asked({}, {});
  const rows = fitBody({ question, hunks, picked: { at: 0, ticked: new Set() }, theme: plainTheme, columns: 60 }, 12);
  expect(rows.filter((row) => /^. \S+ \d\. modified a$/.test(row))).toHaveLength(3);
  expect(rows.join("\n")).toContain("new 40");
  expect(rows.at(-1)).toBe("… 18 lines hidden: Ctrl+O shows all");
});

test("of many hunks the one that somebody points at is seen whole, and what is hidden is counted", () => {
  const hunk = (at: number) => `@@ -${at},3 +${at},3 @@\n a\n-old ${at}\n+new ${at}\n b\n`;
  const patch = `--- a\n+++ a\n${Array.from({ length: 14 }, (_, at) => hunk(at * 20 + 1)).join("")}`;
  const hunks = hunksOf([{ path: "a", change: "modified", added: 14, removed: 14, patch }]);
  const body = { question: asked({}, {}), hunks, theme: plainTheme, columns: 60 };
  const whole = fitBody({ ...body, picked: { at: 0, ticked: new Set() } }, 1000).length;
  for (let at = 0; at < hunks.length; at++) {
    const rows = fitBody({ ...body, picked: { at: at - hunks.length, ticked: new Set() } }, 12);
    expect(
      rows.some((row) => row.startsWith(`${plainTheme.glyph.pointer} `) && row.includes(` ${at + 1}. `)),
    ).toBeTrue();
    expect(rows.join("\n")).toContain(`new ${at * 20 + 1}`);
    expect(rows).toHaveLength(12);
    expect(rows.join("\n")).toContain(`… ${whole - 11} lines hidden`);
  }
});
