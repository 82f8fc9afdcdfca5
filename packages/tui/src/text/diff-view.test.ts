import { expect, test } from "bun:test";
import { builtinTheme, plainTheme } from "../theme/palette.ts";
import { parsePatch, wordDiff } from "./diff.ts";
import { diffRows } from "./diff-view.ts";
import { createHighlighter } from "./highlight.ts";
import { strip, width } from "./width.ts";

const theme = builtinTheme({ level: "256" });

const patch = `--- a/x.ts
+++ b/x.ts
@@ -10,4 +10,4 @@ function f
 same
-const total = count + 1;
+const total = counted + 1;
 end
\\ No newline at end of file
`;

test("a diff names the words that changed, with signs for those who see no colour", () => {
  const lines = parsePatch(patch);
  expect(lines.map((line) => line.kind)).toEqual(["gap", "same", "removed", "added", "same"]);
  expect(
    wordDiff("const total = count + 1;", "const total = counted + 1;").after.filter((part) => part.changed),
  ).toEqual([{ text: "counted", changed: true }]);
  expect(wordDiff("abc", "xyz").before[0]?.changed).toBe(false);
  expect(diffRows(lines, 60, plainTheme, "inline").map((row) => row.trimEnd())).toEqual([
    "   … function f",
    "10   same",
    "11 - const total = count + 1;",
    "11 + const total = counted + 1;",
    "12   end",
  ]);
  for (const columns of [20, 61, 140])
    for (const shape of ["inline", "split"] as const)
      for (const row of diffRows(lines, columns, theme, shape)) expect(width(row)).toBeLessThanOrEqual(columns);
});

test("code in a diff is coloured where it stays or comes, and the words that changed stay marked", async () => {
  const highlighter = createHighlighter(theme, () => {});
  await highlighter.load("ts");
  const lines = parsePatch(patch.replace(" end", " /* a\n+comment */\n end"));
  const shown = (code?: Parameters<typeof diffRows>[4]) => diffRows(lines, 60, theme, "inline", code);
  const [plain, coloured] = [shown(), shown({ highlighter, language: "ts" })];
  expect(coloured.map(strip)).toEqual(plain.map(strip));
  // The removed line is as it was.
  expect(coloured[2]).toBe(plain[2] ?? "");
  expect(coloured[3]).toContain(theme.paint("keyword", "const").replace(/.\[39m$/, ""));
  expect(coloured[3]).toContain(";38;5;194;48;5;22mcounted");
  // A comment of two lines is one in both.
  expect(coloured[5]).toContain("\x1b[38;5;247mcomment */");
  expect(shown({ highlighter, language: "nonsense" })).toEqual(plain);
});

test("a diff of strange text in a known language shows all of it", async () => {
  const highlighter = createHighlighter(theme, () => {});
  await highlighter.load("ts");
  const odd = ["\u4f60\u597d `${", "\x1b[31m\x07", "a\tb", "'", "</span>&lt;", ""];
  const text = `@@ -1,6 +1,6 @@\n${odd.map((line) => `-${line}\n+${line}x`).join("\n")}\n`;
  const lines = parsePatch(text);
  for (const columns of [12, 40, 150])
    for (const shape of ["inline", "split"] as const) {
      const rows = diffRows(lines, columns, theme, shape, { highlighter, language: "ts" });
      expect(rows.map(strip)).toEqual(diffRows(lines, columns, theme, shape).map(strip));
    }
});
