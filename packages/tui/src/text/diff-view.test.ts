import { expect, test } from "bun:test";
import { builtinTheme, plainTheme } from "../theme/palette.ts";
import { parsePatch, wordDiff } from "./diff.ts";
import { diffRows } from "./diff-view.ts";
import { width } from "./width.ts";

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
