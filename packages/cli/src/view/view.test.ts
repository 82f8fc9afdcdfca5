import { expect, test } from "bun:test";
import { call as toolCall } from "../test/fake.ts";
import { colourTheme, plainTheme, themeFor } from "../theme/theme.ts";
import { callDetail, callLine } from "./call.ts";
import type { Draw } from "./draw.ts";
import { resultLines } from "./view.ts";

const draw: Draw = { theme: plainTheme, width: 40, lines: 4 };
const show = (
  details: Record<string, unknown> | undefined,
  text = "",
  more: { isError?: boolean; draw?: Partial<Draw> } = {},
) =>
  resultLines(
    { content: [{ type: "text", text }], isError: more.isError ?? false, ...(details ? { details } : {}) },
    { ...draw, ...more.draw },
  );
const many = Array.from({ length: 9 }, (_, i) => `line ${i + 1}`).join("\n");

test("prose shows its first lines and counts the rest", () => {
  expect(show({ kind: "prose" }, "one\ntwo\n\n")).toEqual(["one", "two"]);
  expect(show({ kind: "prose" }, many)).toEqual(["line 1", "line 2", "line 3", "… 6 more lines"]);
});

test("a page says which part of what was read, not the text", () => {
  expect(show({ kind: "page", path: "a.ts", from: 1, to: 40, totalLines: 200, bytes: 2048 }, many)).toEqual([
    "a.ts, lines 1-40 of 200, 2KB",
  ]);
  expect(show({ kind: "page", path: "a.ts" }, many)).toEqual(["a.ts"]);
});

test("a run shows the end of its output and how it ended", () => {
  const run = { kind: "run", command: "x", cwd: "/", durationMs: 1260 };
  expect(show({ ...run, exitCode: 0 }, many)).toEqual([
    "… 6 lines before",
    "line 7",
    "line 8",
    "line 9",
    "exit 0 after 1.3 s",
  ]);
  expect(show({ ...run, exitCode: 2 }, "oh", { isError: true })).toEqual(["oh", "exit 2 after 1.3 s"]);
  expect(show({ ...run, timedOut: true }, "", { isError: true })).toEqual(["out of time after 1.3 s"]);
  expect(show({ ...run, cancelled: true }, "", { isError: true })).toEqual(["cancelled after 1.3 s"]);
  expect(show({ ...run, signal: "SIGSEGV" }, "", { isError: true })).toEqual(["ended by SIGSEGV after 1.3 s"]);
});

test("matches and listings say how many there are", () => {
  expect(
    show({ kind: "matches", pattern: "x", scopePath: ".", fileCount: 1, matchCount: 2, files: ["a.ts"] }, "a.ts\n1:x"),
  ).toEqual(["2 matches in 1 file", "a.ts", "1:x"]);
  expect(
    show({ kind: "matches", pattern: "x", scopePath: ".", fileCount: 0, matchCount: 0, files: [] }, "No matches."),
  ).toEqual(["no matches"]);
  expect(show({ kind: "listing", path: "src", count: 2 }, "a\nb")).toEqual(["2 names in src", "a", "b"]);
});

test("a diff shows each file's name, its counts and its hunks", () => {
  const patch = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n";
  const file = { path: "x", change: "modified", added: 1, removed: 1, patch };
  expect(show({ kind: "diff", files: [file] })).toEqual([
    "modified x +1 -1",
    "@@ -1,2 +1,2 @@",
    " same",
    "-old",
    "+new",
  ]);
  expect(show({ kind: "diff", files: [{ ...file, change: "moved", from: "w", patch: "" }] })).toEqual([
    "moved w → x +1 -1",
  ]);
  const painted = show({ kind: "diff", files: [file] }, "", { draw: { theme: colourTheme } });
  expect(painted[3]).toBe("\u001b[31m-old\u001b[39m");
  expect(painted[4]).toBe("\u001b[32m+new\u001b[39m");
});

test("a table is aligned by what is seen", () => {
  expect(
    show({
      kind: "table",
      columns: ["名", "n"],
      rows: [
        ["日本", "1"],
        ["a", "22"],
      ],
    }),
  ).toEqual(["名    n", "日本  1", "a     22"]);
});

test("a failed result shows its reason, whatever its kind", () => {
  expect(show({ kind: "diff" }, "not found", { isError: true })).toEqual(["not found"]);
});

test("data that is not what its kind says, or of no known kind, is shown as text", () => {
  expect(show({ kind: "diff", files: "none" }, "text")).toEqual(["text"]);
  expect(show({ kind: "table" }, "text")).toEqual(["text"]);
  expect(show({ kind: "hologram" }, "text")).toEqual(["text"]);
  expect(show(undefined, "text")).toEqual(["text"]);
});

test("no line is wider than the screen, and tabs count as they look", () => {
  const [line = ""] = show({ kind: "prose" }, `\t${"日".repeat(40)}`);
  expect(Bun.stringWidth(line)).toBeLessThanOrEqual(40);
  expect(line).toEndWith("…");
  expect(line).toStartWith("    日");
});

test("a call is one line about what it does", () => {
  expect(callLine(toolCall("c", "read", { path: "src/a.ts" }), draw)).toBe("• read src/a.ts");
  expect(callLine(toolCall("c", "bash", { command: "ls\npwd", cwd: "/" }), draw)).toBe("• bash ls …");
  expect(callLine(toolCall("c", "todo", { items: [1] }), draw)).toBe('• todo {"items":[1]}');
  expect(callLine({ ...toolCall("c", "read", {}), rawArguments: "{broken" }, draw)).toBe("• read {broken");
  expect(Bun.stringWidth(callLine(toolCall("c", "read", { path: "x".repeat(99) }), draw))).toBeLessThanOrEqual(40);
});

test("who has to allow a call sees all of it", () => {
  expect(callDetail(toolCall("c", "bash", { command: `ls\nrm -rf ${"x".repeat(60)}`, timeout: 5 }), draw)).toEqual([
    "command:",
    "  ls",
    `  rm -rf ${"x".repeat(60)}`,
    "timeout: 5",
  ]);
  expect(callDetail(toolCall("c", "bash", { command: "a\u202eb\u001b[8mc\u200bd" }), draw)).toEqual([
    "command: a\\u202ebc\\u200bd",
  ]);
  expect(callDetail(toolCall("c", "write", { content: "x\n".repeat(300) }), draw).at(-1)).toMatch(/^… \d+ more lines$/);
});

test("NO_COLOR and dumb terminals get no colours", () => {
  expect(themeFor({ NO_COLOR: "1" })).toBe(plainTheme);
  expect(themeFor({ TERM: "dumb" })).toBe(plainTheme);
  expect(themeFor({ NO_COLOR: "", TERM: "xterm" })).toBe(colourTheme);
});
