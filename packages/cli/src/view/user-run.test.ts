import { expect, test } from "bun:test";
import { plainTheme } from "@pith/tui/theme";
import { streamedRows, type UserRun, userRunRows } from "./user-run.ts";

const show = (run: Partial<UserRun>) =>
  userRunRows({ role: "bashExecution", ...run }, { theme: plainTheme, columns: 30, height: 3 });

test("a person sees the end of what they ran, and how it ended", () => {
  expect(show({ output: "a\nb\nc\nd\n", exitCode: 0 })).toEqual(["… 2 lines before", "c", "d", "exit 0"]);
  expect(show({ output: "a\n", totalLines: 900, exitCode: 1 })).toEqual(["… 899 lines before", "a", "exit 1"]);
  expect(show({ cancelled: true })).toEqual(["cancelled"]);
  expect(show({ limit: "4 GB of memory" })).toEqual(["ended: 4 GB of memory"]);
  expect(show({ signal: "SIGKILL" })).toEqual(["ended by SIGKILL"]);
});

test("output that was cut or kept from the model says so, and nothing in it is obeyed", () => {
  expect(show({ exitCode: 0, truncated: true, artifactId: "7" })).toEqual([
    "exit 0; output cut, all of it",
    "in artifact://7",
  ]);
  expect(show({ exitCode: 0, excludeFromContext: true })).toEqual(["exit 0; not shown to the model"]);
  expect(show({ output: `\u001b[2J${"日".repeat(40)}\u0007`, exitCode: 0 })).toEqual([
    "日".repeat(15),
    "日".repeat(15),
    "日".repeat(10),
    "exit 0",
  ]);
});

test("while it runs each line comes once and whole, and of a flood the last ones", () => {
  const rows = (text: string, lines: number, told: number) =>
    streamedRows({ text, lines }, told, { theme: plainTheme, columns: 30, height: 3 });
  expect(rows("a\nb\nhalf", 2, 0)).toEqual(["a", "b"]);
  expect(rows("a\nb\nhalf a line\n", 3, 2)).toEqual(["half a line"]);
  expect(rows("a\nb\n", 2, 2)).toEqual([]);
  expect(rows("6\n7\n8\n9\n", 9, 3)).toEqual(["… 4 lines before", "8", "9"]);
  expect(rows(`${"word ".repeat(10)}\n`, 1, 0)).toEqual(["word word word word word word", "word word word word"]);
});
