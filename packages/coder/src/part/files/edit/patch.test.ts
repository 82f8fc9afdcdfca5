import { describe, expect, test } from "bun:test";
import { spliceText } from "../../../edit/text/change.ts";
import { planPatch } from "./patch.ts";

function change(text: string, ...rows: string[]): string {
  const planned = planPatch("f", text, rows.join("\n"));
  return planned.ok ? spliceText(text, planned.value.changes) : planned.message;
}

describe("a unified diff changes what it says", () => {
  const cases: [string, string, string[], string][] = [
    ["with its headers", "a\nb\nc\n", ["--- a/f", "+++ b/f", "@@ -1,3 +1,3 @@", " a", "-b", "+B", " c"], "a\nB\nc\n"],
    ["of a CRLF file", "a\r\nb\r\n", ["@@ -1,2 +1,3 @@", " a", "+x", " b"], "a\r\nx\r\nb\r\n"],
    ["with line numbers that are off", "x\nx\nx\na\nb\n", ["@@ -1,2 +1,2 @@", " a", "-b", "+B"], "x\nx\nx\na\nB\n"],
    ["of the second of two equal places, by its number", "a\nz\na\nz\n", ["@@ -3 +3 @@", "-a", "+A"], "a\nz\nA\nz\n"],
    [
      "in two hunks",
      "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      ["@@ -1,2 +1,1 @@", "-1", " 2", "@@ -8,2 +7,3 @@", " 8", "+8b", " 9"],
      "2\n3\n4\n5\n6\n7\n8\n8b\n9\n",
    ],
    ["that only adds, by its number", "a\nb\n", ["@@ -1,0 +2 @@", "+x"], "a\nx\nb\n"],
    [
      "of a file that has no final newline",
      "a\nb",
      ["@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+B", "\\ No newline at end of file"],
      "a\nB",
    ],
    ["that gives a final newline", "a\nb", ["@@ -2 +2 @@", "-b", "\\ No newline at end of file", "+b"], "a\nb\n"],
    ["that takes the final newline", "a\nb\n", ["@@ -2 +2 @@", "-b", "+b", "\\ No newline at end of file"], "a\nb"],
    ["of an empty file", "", ["@@ -0,0 +1,2 @@", "+a", "+b"], "a\nb\n"],
    [
      "in a mail, with a list before it and a version after it",
      "a\n",
      [
        "From: x",
        "Subject: y",
        "",
        "- one",
        "---",
        " f | 1 +",
        "diff --git a/f b/f",
        "index 1..2 100644",
        "--- a/f",
        "+++ b/f",
        "@@ -1 +1 @@",
        "-a",
        "+b",
        "-- ",
        "2.39.0",
        "",
      ],
      "b\n",
    ],
    [
      "whose rows look like headers",
      "-- z\n++ q\n@@ -1 +1 @@\n",
      ["@@ -1,3 +1,3 @@", "--- z", "+--- y", " ++ q", "-@@ -1 +1 @@", "+@@"],
      "--- y\n++ q\n@@\n",
    ],
    ["with counts that are off", "a\nb\n", ["@@ -1,9 +1,9 @@", " a", "-b", "+B"], "a\nB\n"],
    ["with an empty row for an empty line", "a\n\nb\n", ["@@ -1,3 +1,3 @@", " a", "", "-b", "+B"], "a\n\nB\n"],
  ];
  test.each(cases)("%s", (_, before, rows, after) => expect(change(before, ...rows)).toBe(after));
});

describe("nothing is guessed", () => {
  const cases: [string, string, string[], string][] = [
    [
      "two other places",
      "x\na\nz\na\n",
      ["@@ -1 +1 @@", "-a", "+A"],
      "The lines of the hunk on line 1 of the diff stand 2 times in f (lines 2, 4), and not at line 1. Add context.",
    ],
    [
      "white space that differs in two places",
      " a\n a\n",
      ["@@ -1 +1 @@", "-a", "+A"],
      "The lines of the hunk on line 1 of the diff are not in f. But for white space they are, more than once: copy them as they are.",
    ],
    [
      "a line that is only like one",
      "x\nreturn total + 1;\n",
      ["@@ -1 +1 @@", "-return total + 2;", "+A"],
      'The lines of the hunk on line 1 of the diff are not in f. The nearest line is 2: "return total + 1;".',
    ],
    ["no hunk", "a\n", ["--- a", "+++ b"], "The diff has no hunk. A hunk begins with @@ -N,M +N,M @@."],
    [
      "a row without a sign",
      "a\n",
      ["@@ -1 +1 @@", "a"],
      'line 2 of the diff begins neither with a space, nor with -, nor with +: "a".',
    ],
    ["rows without a hunk", "a\n", ["-a", "+b"], "The diff has no hunk. A hunk begins with @@ -N,M +N,M @@."],
    [
      "rows before a hunk",
      "a\n",
      ["--- f", "+++ f", "-a", "+b"],
      'line 3 of the diff stands before the first hunk (@@ -N,M +N,M @@): "-a".',
    ],
    [
      "another file",
      "a\n",
      ["--- f", "+++ f", "@@ -1 +1 @@", "-a", "+b", "--- g", "+++ g", "@@ -1 +1 @@", "-a", "+b"],
      'line 6 of the diff begins another file; give each file a call of its own: "--- g".',
    ],
    [
      "a new file that exists",
      "a\n",
      ["--- /dev/null", "+++ f", "@@ -0,0 +1 @@", "+b"],
      "The diff makes a new file, but f exists already. Nothing was changed.",
    ],
    ["context only", "a\n", ["@@ -1 +1 @@", " a"], "The hunk on line 1 of the diff changes nothing."],
    [
      "an addition nowhere",
      "a\n",
      ["@@", "+b"],
      "The hunk on line 1 of the diff only adds lines and does not say where. Give it context lines or line numbers.",
    ],
    ["an addition beyond the end", "a\n", ["@@ -9,0 +10 @@", "+b"], "There is no line 10: the file ends with line 1"],
  ];
  test.each(cases)("%s", (_, before, rows, message) => expect(change(before, ...rows)).toBe(message));
});

test("what a diff asks for beside the content is said", () => {
  const diff = [
    "old mode 100644",
    "new mode 100755",
    "rename from f",
    "rename to g",
    "--- a/f",
    "+++ b/g",
    "@@ -1 +1 @@",
    "-a",
    "+b",
  ].join("\n");
  expect(planPatch("f", "a\n", diff)).toMatchObject({
    value: {
      warnings: [
        "Only the content was changed; left out: old mode 100644, new mode 100755, rename from f, rename to g.",
      ],
    },
  });
});

test("lines that stand there with other indentation are changed as one block, and that is said", () => {
  const text = "class A:\n    def f(self, a):\n        if a:\n            return a\n";
  const diff = "@@ -3,2 +3,3 @@\n-if a:\n-  return a\n+if a:\n+  b = 1\n+  return b";
  const planned = planPatch("f", text, diff);
  if (!planned.ok) throw new Error(planned.message);
  expect(spliceText(text, planned.value.changes)).toBe(
    "class A:\n    def f(self, a):\n        if a:\n            b = 1\n            return b\n",
  );
  expect(planned.value.warnings.join()).toContain("matched lines 3-4 of f only but for white space");
});
