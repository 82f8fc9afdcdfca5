import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileChange } from "@pith/agent";
import { Snapshots } from "../../snapshot/snapshot.ts";
import { write } from "./write.ts";

const cwd = mkdtempSync(join(tmpdir(), "pith-write-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const own = write({ cwd, userHome: cwd, snapshots: new Snapshots(undefined) });
const call = { id: "1", signal: new AbortController().signal, progress() {} };
const run = (path: string, content: string) => own.run({ path, content }, call);
const text = (path: string) => readFileSync(join(cwd, path), "utf8");
const changes = (outcome: Awaited<ReturnType<typeof run>>) => (outcome.data as { files?: FileChange[] }).files?.[0];

test("a new file is made with its directories, and its bytes are counted, not its characters", async () => {
  const got = await run("new/deep/a.txt", "häß😀\n");
  expect(got.kind).toBe("diff");
  expect(got.text).toMatch(/^\[new\/deep\/a\.txt#[0-9A-F]{4}\]\nSuccessfully wrote 10 bytes to new\/deep\/a\.txt \(new file\)$/);
  expect(text("new/deep/a.txt")).toBe("häß😀\n");
  expect(changes(got)).toMatchObject({ path: "new/deep/a.txt", change: "added", added: 1, removed: 0 });
});

test("replacing a file says so and shows what changed", async () => {
  writeFileSync(join(cwd, "old.txt"), "a\nb\nc\n");
  const got = await run("old.txt", "a\nB\nc\n");
  expect(got.text).toEndWith("\nSuccessfully wrote 6 bytes to old.txt (replaced 6B)");
  expect(changes(got)).toMatchObject({ change: "modified", added: 1, removed: 1 });
  expect(changes(got)?.patch).toContain("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
});

test("a script becomes executable", async () => {
  expect((await run("run.sh", "#!/bin/sh\necho hi\n")).text).toEndWith("(new file, executable)");
  expect(statSync(join(cwd, "run.sh")).mode & 0o100).toBe(0o100);
});

test("a directory is never replaced by a file", async () => {
  mkdirSync(join(cwd, "folder"));
  expect(await run("folder", "x")).toMatchObject({ failed: true, text: "folder: is a directory. Nothing was written." });
  expect(await run("other/", "x")).toMatchObject({ failed: true, text: "other/: names a directory; give the path of a file" });
  expect(await run("old.txt/below", "x")).toMatchObject({ failed: true });
});

test("a binary file can be replaced; there is just no diff to show", async () => {
  writeFileSync(join(cwd, "binary"), "\0\x01");
  expect(changes(await run("binary", "text\n"))?.patch).toBe("");
  expect(text("binary")).toBe("text\n");
});

test("two very different large contents are compared in bounded time", async () => {
  writeFileSync(join(cwd, "large"), Array.from({ length: 20_000 }, (_, i) => `old ${i * 7}`).join("\n"));
  const started = performance.now();
  const got = await run("large", Array.from({ length: 20_000 }, (_, i) => `new ${i * 11}`).join("\n"));
  expect(performance.now() - started).toBeLessThan(1500);
  expect(changes(got)).toMatchObject({ added: 20_000, removed: 20_000, patch: "" });
});

test("a write names the path it touches", () => {
  expect(own).toMatchObject({ effect: "write" });
  expect(own.paths?.({ path: "a/../b", content: "" })).toEqual([join(cwd, "b")]);
});
