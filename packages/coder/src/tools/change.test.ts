import { expect, test } from "bun:test";
import { fileChange } from "./change.ts";

const lines = (count: number, of: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => `${of(n)}\n`).join("");

test("a new file has nobody on its old side, a changed one its name on both", () => {
  expect(fileChange("a.txt", undefined, "one\n")).toEqual({
    path: "a.txt",
    change: "added",
    added: 1,
    removed: 0,
    patch: "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+one\n",
  });
  expect(fileChange("a.txt", "one\ntwo", "one\n2").patch).toContain(
    "-two\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n",
  );
});

test("a file that is written as it was has no diff", () => {
  expect(fileChange("a", "same\n", "same\n")).toMatchObject({ change: "modified", added: 0, removed: 0, patch: "" });
});

test("two far changes of a large file are two hunks", () => {
  const before = lines(50_000, String);
  const after = lines(50_000, (n) => (n === 5 || n === 49_990 ? "x" : String(n)));
  const { added, removed, patch } = fileChange("a", before, after);
  expect([added, removed, patch.match(/^@@/gm)?.length]).toEqual([2, 2, 2]);
});

test("a diff that nobody would read to its end is only counted", () => {
  const change = fileChange("a", undefined, lines(200_000, String));
  expect(change).toMatchObject({ added: 200_000, removed: 0, patch: "" });
  expect(fileChange("a", undefined, `${"x".repeat(300_000)}\n`)).toMatchObject({ added: 1, patch: "" });
});
