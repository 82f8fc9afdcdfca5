import { expect, test } from "bun:test";
import type { Intent, Question } from "@pith/agent";
import { call } from "../../test/fake.ts";
import { askRows, visible } from "./ask.ts";

const run = () => Promise.reject(new Error("nobody runs it"));
const approval = (input: Record<string, unknown>, intent?: Partial<Intent>): Question => ({
  id: "q",
  agent: "main",
  form: "approval",
  text: "may I?",
  call: call("c", "bash", input),
  ...(intent ? { intent: { effect: "exec", paths: [], run, ...intent } } : {}),
});

test("who has to allow a command sees the very text that runs, where, and with which variables", () => {
  const question = approval(
    { command: "cd x && ls | head", timeout: 5, env: { A: "1" } },
    { command: "nice ls\nrm -rf y", cwd: "/p/x", env: { A: "1\n2" } },
  );
  expect(askRows(question)).toEqual([
    "timeout: 5",
    "runs:",
    "  | nice ls",
    "  | rm -rf y",
    "in: /p/x",
    "with A: 1\\n2",
  ]);
});

test("what a terminal would obey, and what hides or reorders text, is shown and hides nothing", () => {
  const rows = askRows(approval({ command: "echo hello \u001b]0;touch /tmp/x;: \u0007" }));
  expect(rows).toEqual(["command: echo hello \\e]0;touch /tmp/x;: \\x07"]);
  expect(visible("a\u202eb\u001b[8mc\u200bd\re\u{e0041}\u00ad")).toBe("a\\u202eb\\e[8mc\\u200bd\\re\\u{e0041}\\xad");
  expect(visible("a\u00a0b\u2800c\u3000d e\u0338")).toBe("a\\xa0b\\u2800c\\u3000d e\\u0338");
  expect(visible("tab\tstays, 日本 and é too")).toBe("tab\tstays, 日本 and é too");
});

test("an argument that is called like one of our own lines is told apart from it", () => {
  const rows = askRows(approval({ runs: "true", "in: /safe #": 1 }, { command: "rm x" }));
  expect(rows).toEqual(['argument "runs": true', 'argument "in: /safe #": 1', "runs: rm x"]);
});

test("no value can forge a line of the question", () => {
  const path = "a\n  writes: /safe\nbash runs nothing. Allow it? [y/n] y";
  const rows = askRows(approval({ path }, { effect: "write", paths: [{ effect: "write", path, real: `/p/${path}` }] }));
  expect(rows.filter((row) => /^(?! {2}\| )/.test(row))).toEqual([
    "path:",
    `writes: /p/${path.replaceAll("\n", "\\n")}`,
  ]);
});

test("nothing of a long value is left out", () => {
  const content = Array.from({ length: 300 }, (_, at) => `line ${at}`).join("\n");
  expect(askRows(approval({ content }))).toHaveLength(301);
});

test("the options of a choice are numbered", () => {
  const options = [
    { id: "a", label: "one" },
    { id: "b", label: "two", about: "the\nother" },
  ];
  expect(askRows({ id: "q", agent: "main", form: "choose", text: "?", options })).toEqual([
    "1. one",
    "2. two: the\\nother",
  ]);
});
