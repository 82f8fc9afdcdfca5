import { expect, test } from "bun:test";
import type { FileChange } from "@pith/agent";
import { builtinTheme, plainTheme } from "@pith/tui/theme";
import type { Canvas } from "../canvas.ts";
import { resultBrief } from "../view.ts";
import { diff } from "./diff.ts";

const shown = { text: "", failed: false, brief: "" };
const briefOf = (data: object) => resultBrief({ content: [], isError: false, details: { kind: "diff", ...data } });
const file: FileChange = {
  path: "x",
  change: "modified",
  added: 1,
  removed: 1,
  patch: "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n",
};
const show = (files: FileChange[], more: Partial<Canvas> = {}) =>
  diff.rows({ files }, shown, { theme: plainTheme, columns: 40, height: 9, ...more });

test("a diff shows each file's name, its counts and its lines by their numbers", () => {
  expect(show([file])).toEqual(["modified x +1 -1", "1   same", "2 - old", "2 + new"]);
  expect(show([{ ...file, change: "moved", from: "w", patch: "" }])).toEqual(["moved w → x +1 -1"]);
});

test("what was added and what was removed have colours of their own", () => {
  const rows = show([file], { theme: builtinTheme({ level: "16" }) });
  const colourOf = (row: string | undefined) => row?.split(/[+-] /)[0]?.split("[").at(-1);
  for (const row of rows.slice(2)) expect(colourOf(row)).toMatch(/^\d+m$/);
  expect(colourOf(rows[2])).not.toBe(colourOf(rows[3]));
});

test("of a long diff the beginning is shown and the rest counted", () => {
  const patch = `@@ -0,0 +1,500 @@\n${"+line\n".repeat(500)}`;
  const rows = show([{ ...file, patch }], { height: 4 });
  expect(rows).toEqual(["modified x +1 -1", "1 + line", "2 + line", "3 + line", "… 497 more lines"]);
});

test("what is left out between two places, and where they are, is said", () => {
  const patch = "@@ -1 +1 @@ f()\n-a\n+b\n@@ -90 +90 @@\n-c\n+d\n";
  expect(show([{ ...file, patch }]).slice(1)).toEqual(["   … f()", " 1 - a", " 1 + b", "   …", "90 - c", "90 + d"]);
});

test("a long path leaves room for the counts", () => {
  const [title = ""] = show([{ ...file, path: "a/".repeat(60) }]);
  expect(title).toMatch(/… \+1 -1$/);
  expect(title).toHaveLength(40);
});

test("a patch of another make is shown as it is", () => {
  expect(show([{ ...file, patch: "+12|new\n-12|old\n" }])).toEqual(["modified x +1 -1", "+12|new", "-12|old"]);
});

test("the brief of several files says how many they are", () => {
  expect(briefOf({ files: [file] })).toBe("+1 -1");
  expect(briefOf({ files: [file, { ...file, added: 3, removed: 0 }] })).toBe("2 files +4 -1");
});

test("where there is no room for all of a diff, its changes come before what stands around them", () => {
  const hunk = (at: number) => `@@ -${at},7 +${at},7 @@\n a\n b\n c\n-old ${at}\n+new ${at}\n d\n e\n f\n`;
  const rows = show([{ ...file, patch: hunk(1) + hunk(30) }], { height: 10 }).join("\n");
  expect(rows).toContain("+ new 30");
  expect(rows).not.toMatch(/ a$/m);
});

test("a rewrite of code says how much it replaces, where it looked, and whether that was all", () => {
  const rewrite = { totalReplacements: 0, filesTouched: 0, filesSearched: 12, applied: false, limitReached: false };
  const brief = (more: object, files: FileChange[] = []) =>
    briefOf({ files, ...rewrite, scopePath: "src", fileReplacements: [], ...more });
  expect(brief({})).toBe("0 replacements in src, searched 12");
  expect(brief({ totalReplacements: 3, limitReached: true }, [file])).toBe(
    "3 replacements in src, not applied yet, searched 12, limit reached, +1 -1",
  );
  expect(brief({ totalReplacements: 1, applied: true, filesSearched: 0 }, [file])).toBe("1 replacement in src, +1 -1");
});
