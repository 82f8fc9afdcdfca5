import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileChange } from "@pith/agent";
import fc from "fast-check";
import { edit } from "./edit.ts";
import { applyPlan, type Edit, planEdits } from "./plan.ts";

const cwd = mkdtempSync(join(tmpdir(), "pith-edit-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const own = edit({ cwd, userHome: cwd });
const call = { id: "1", signal: new AbortController().signal, progress() {} };
async function change(content: string | Uint8Array, ...edits: Edit[]) {
  writeFileSync(join(cwd, "file"), content);
  const outcome = await own.run({ path: "file", edits }, call);
  return { outcome, text: readFileSync(join(cwd, "file"), "utf8"), bytes: readFileSync(join(cwd, "file")) };
}

test("one exact text is replaced, and the result says where", async () => {
  const got = await change("one\ntwo\nthree\n", { oldText: "two", newText: "TWO\nmore" });
  expect(got.text).toBe("one\nTWO\nmore\nthree\n");
  expect(got.outcome.text).toBe("Edited file: 1 replacement at line 2 (+2 -1)");
  expect((got.outcome.data as { files: FileChange[] }).files[0]).toMatchObject({ path: "file", change: "modified", added: 2, removed: 1 });
  expect((got.outcome.data as { files: FileChange[] }).files[0]?.patch).toContain(" one\n-two\n+TWO\n+more\n three\n");
});

test("several edits all refer to the file as it was", async () => {
  const got = await change("a b c\n", { oldText: "c", newText: "a" }, { oldText: "a", newText: "b" });
  expect(got.text).toBe("b b a\n");
});

test("all: true replaces every occurrence", async () => {
  expect((await change("x y x\nx", { oldText: "x", newText: "zz", all: true })).text).toBe("zz y zz\nzz");
});

test("CR LF files are matched with LF and keep their endings", async () => {
  const got = await change("one\r\ntwo\r\nthree\r\n", { oldText: "one\ntwo", newText: "1\n2\n2b" });
  expect(got.text).toBe("1\r\n2\r\n2b\r\nthree\r\n");
  expect((await change("one\ntwo\n", { oldText: "one\r\ntwo", newText: "1\r\n2" })).text).toBe("1\n2\n");
});

test("in a file of mixed endings the replaced lines decide", async () => {
  expect((await change("a\r\nb\r\nc\nd\n", { oldText: "a\nb\n", newText: "A\nB\n" })).text).toBe("A\r\nB\r\nc\nd\n");
  expect((await change("a\r\nb\r\nc\nd\ne\n", { oldText: "c\nd", newText: "C\nD" })).text).toBe("a\r\nb\r\nC\nD\ne\n");
});

test("byte order mark, missing final newline and mode stay", async () => {
  writeFileSync(join(cwd, "run"), "\ufeff#!/bin/sh\necho old");
  chmodSync(join(cwd, "run"), 0o750);
  await own.run({ path: "run", edits: [{ oldText: "old", newText: "new" }] }, call);
  expect(readFileSync(join(cwd, "run"), "utf8")).toBe("\ufeff#!/bin/sh\necho new");
  expect(statSync(join(cwd, "run")).mode & 0o777).toBe(0o750);
});

test("bytes that are not UTF-8 survive an edit beside them", async () => {
  const got = await change(Buffer.from([0xe9, 0x20, 0x61, 0x0a, 0xff]), { oldText: "a", newText: "ä" });
  expect(got.bytes).toEqual(Buffer.from([0xe9, 0x20, 0xc3, 0xa4, 0x0a, 0xff]));
});

test("a text that is not there leaves the file alone and points to the nearest line", async () => {
  const source = "function alpha() {\n  return 1;\n}\n";
  const got = await change(source, { oldText: "function alpha(x) {", newText: "" });
  expect(got.outcome).toMatchObject({ failed: true });
  expect(got.outcome.text).toContain('The nearest line is 1: "function alpha() {".');
  expect(got.text).toBe(source);
  expect((await change(source, { oldText: "\treturn 1;", newText: "" })).outcome.text).toContain(
    'Line 2 has the same text: "  return 1;". Spaces, or the lines after it, differ.',
  );
  expect((await change(source, { oldText: "2:  return 1;\n3:}", newText: "" })).outcome.text).toContain("Leave out the line numbers");
  expect((await change(source, { oldText: "zzzzzz", newText: "" })).outcome.text).toContain("Read the file again");
});

test("a text that stands there more than once is refused with the lines", async () => {
  const got = await change("a\nb\na\n", { oldText: "a", newText: "c" });
  expect(got.outcome.text).toBe(
    "file: oldText was found 2 times (lines 1, 3). Add lines around it until it is unique, or set all: true to replace every one. Nothing was changed.",
  );
  expect((await change("aaa", { oldText: "aa", newText: "b" })).outcome.failed).toBe(true);
});

test("when one edit is wrong, none is made", async () => {
  const got = await change("a\nb\n", { oldText: "a", newText: "A" }, { oldText: "nope", newText: "" });
  expect(got.outcome.text).toStartWith("file: edits[1].oldText was not found");
  expect(got.text).toBe("a\nb\n");
});

test("overlapping, empty and idle edits are explained", async () => {
  expect((await change("abc", { oldText: "ab", newText: "1" }, { oldText: "bc", newText: "2" })).outcome.text).toContain(
    "edits[0] and edits[1] overlap at line 1",
  );
  expect((await change("abc", { oldText: "", newText: "1" })).outcome.text).toContain("oldText is empty");
  expect((await change("abc", { oldText: "abc", newText: "abc" })).outcome.text).toContain("would change nothing");
});

test("a missing file, a directory and a binary file are refused", async () => {
  const run = async (path: string) => (await own.run({ path, edits: [{ oldText: "a", newText: "b" }] }, call)).text;
  expect(await run("none")).toBe("none: no such file or directory. Use write to make a new file.");
  expect(await run(".")).toContain("is a directory");
  writeFileSync(join(cwd, "binary"), "a\0");
  expect(await run("binary")).toBe("binary: is not a text file. Nothing was changed.");
});

test("no byte outside the plan changes", () => {
  const piece = fc.constantFrom("a", "b", "\n", "\r\n", "\r", "é", "😀", "word");
  const content = fc.array(
    fc.oneof(
      piece.map((text) => Buffer.from(text)),
      fc.constantFrom(Buffer.from([0xff]), Buffer.from([0xe2, 0x82])),
    ),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(content, fc.array(piece, { minLength: 1, maxLength: 4 }), fc.array(piece, { maxLength: 4 }), fc.boolean(), (parts, old, fresh, all) => {
      const before = Buffer.concat(parts);
      const plan = planEdits(before, [{ oldText: old.join(""), newText: fresh.join(""), all }]);
      if (!plan.ok) return;
      const after = applyPlan(before, plan.value);
      let [from, to] = [0, 0];
      for (const { start, end, bytes } of plan.value) {
        expect(after.subarray(to, to + start - from)).toEqual(before.subarray(from, start));
        to += start - from;
        expect(after.subarray(to, to + bytes.length)).toEqual(bytes);
        // What was taken out is what was asked for, up to line endings.
        expect(before.subarray(start, end).toString("latin1").replaceAll("\r\n", "\n")).toBe(
          Buffer.from(old.join("").replaceAll("\r\n", "\n")).toString("latin1"),
        );
        [from, to] = [end, to + bytes.length];
      }
      expect(after.subarray(to)).toEqual(before.subarray(from));
    }),
    { numRuns: 1500 },
  );
});
