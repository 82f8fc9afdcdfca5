import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArtifacts, resultFields } from "@pith/agent";
import { Snapshots } from "../../snapshot/snapshot.ts";
import { read } from "./read.ts";

const cwd = mkdtempSync(join(tmpdir(), "pith-read-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const put = (path: string, content: string | Uint8Array) => {
  mkdirSync(join(cwd, path, ".."), { recursive: true });
  writeFileSync(join(cwd, path), content);
};
const snapshots = new Snapshots(undefined);
const own = read({ cwd, userHome: join(cwd, "home"), artifacts: openArtifacts(join(cwd, "session.jsonl")), snapshots });
const call = { id: "1", signal: new AbortController().signal, progress() {} };
/** The tag depends on the place of the folder; one test looks at it. */
const bare = (text: string) => text.replace(/^(\[.*)#[0-9A-F]{4}\]/, "$1]");
const run = async (path: string) => {
  const outcome = await own.run({ path }, call);
  return { ...outcome, text: bare(outcome.text) };
};
const said = async (path: string) => {
  const [block] = resultFields(await run(path)).content;
  return block?.type === "text" ? block.text : "";
};
const numbers = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join("\n");

test("a file comes as numbered lines below its name", async () => {
  put("src/a.ts", "one\n\tTwo\n");
  expect(await run("src/a.ts")).toEqual({
    kind: "page",
    data: { path: "src/a.ts", from: 1, to: 2, totalLines: 2, bytes: 9 },
    text: "[src/a.ts]\n1:one\n2:\tTwo",
    meta: { source: { path: join(cwd, "src/a.ts") } },
  });
  expect(await said("src/a.ts")).toBe("[src/a.ts]\n1:one\n2:\tTwo");
});

test("the header names a tag that stands for the whole file, whatever part of it is shown", async () => {
  put("tagged", numbers(50));
  const tag = snapshots.mint(join(cwd, "tagged"), numbers(50));
  for (const path of ["tagged", "tagged:3-4"]) expect((await own.run({ path }, call)).text).toStartWith(`[tagged#${tag}]\n`);
});

test("selectors choose lines, with one before and three after a bounded side", async () => {
  put("many", numbers(100));
  const shown = async (path: string) => {
    const got = await run(path);
    return got.kind === "page" ? (got.data as { from?: number; to?: number }) : undefined;
  };
  expect(await shown("many:10-12")).toMatchObject({ from: 9, to: 15 });
  expect(await shown("many:10+3")).toMatchObject({ from: 9, to: 15 });
  expect(await shown("many:L10-L12")).toMatchObject({ from: 9, to: 15 });
  expect(await shown("many:90")).toMatchObject({ from: 89, to: 100 });
  expect(await shown("many:90-")).toMatchObject({ from: 89, to: 100 });
  expect(await shown("many:1-2")).toMatchObject({ from: 1, to: 5 });
  expect(await shown("many:99-200")).toMatchObject({ from: 98, to: 100 });
});

test("a real file whose name looks like a selector wins", async () => {
  put("odd:10-12", "odd\n");
  expect((await run("odd:10-12")).text).toBe("[odd:10-12]\n1:odd");
  put("a:b", "colon\n");
  expect((await run("a:b")).text).toBe("[a:b]\n1:colon");
  expect(own.paths?.({ path: "odd:10-12" })).toEqual([join(cwd, "odd:10-12")]);
  expect(own.paths?.({ path: "many:10-12" })).toEqual([join(cwd, "many")]);
  expect(own.paths?.({ path: "artifact://0" })).toEqual([]);
});

test("a selector that means nothing is explained", async () => {
  expect(await run("many:0")).toMatchObject({ failed: true, text: "Line selector 0 is invalid; lines are 1-indexed. Use :1." });
  expect(await run("many:5+0")).toMatchObject({ failed: true, text: "Line selector :5+0 is invalid; the count must be at least 1." });
  expect(await run("many:5-4")).toMatchObject({ failed: true, text: "Line selector :5-4 is invalid; the end must not be before the start." });
});

test("a range past the end is answered with a suggestion, not as an error", async () => {
  const got = await run("many:9999");
  expect(got.failed).toBeUndefined();
  expect(got.text).toBe("Line 9999 is past the end: there are 100 lines. Use :1 to read from the start, or :100 for the last line.");
});

test("a long file is cut, and following the notice gives the next lines", async () => {
  put("long", numbers(5000));
  const got = await run("long");
  expect(got.meta?.truncation).toMatchObject({ truncatedBy: "lines", shownRange: { start: 1, end: 3000 }, totalLines: 5000, nextOffset: 3001 });
  expect(await said("long")).toEndWith("3000:line 3000\n\n[Showing lines 1-3000 of 5000. Go on at line 3001]");
  expect((await run("long:3001")).text).toStartWith("[long]\n3000:line 3000\n3001:line 3001\n");
});

test("wide lines stop at 50 KiB, and one line that is wider says so", async () => {
  put("wide", `${"x".repeat(1000)}\n`.repeat(100));
  expect((await run("wide")).meta?.truncation).toMatchObject({ truncatedBy: "bytes", shownRange: { start: 1, end: 51 }, nextOffset: 52 });
  put("one", "y".repeat(100_000));
  const got = await run("one");
  expect(got.meta?.notes).toEqual(["Line 1 is longer than 50KB; only its beginning is shown"]);
  expect(got.text.length).toBeLessThan(52_000);
});

test("an empty file and an empty directory are named as such", async () => {
  put("empty", "");
  mkdirSync(join(cwd, "nothing"));
  expect((await run("empty")).text).toBe("(empty file)");
  expect((await run("nothing")).text).toBe("(empty directory)");
});

test("a directory is listed, directories first", async () => {
  put("tree/b/x", "");
  put("tree/a.txt", "12345");
  expect(await run("tree")).toMatchObject({ kind: "listing", data: { path: "tree", count: 2 }, text: "[tree/]\nb/\na.txt  5B" });
});

test("a directory with very many names is cut and says so", async () => {
  for (let i = 0; i < 501; i++) put(`crowd/${i}`, "");
  expect(await said("crowd")).toEndWith("[Only the first 500 are listed]");
});

test("paths may be absolute, in the home, mentioned with @, or a file URL", async () => {
  put("home/note", "hi\n");
  for (const path of [join(cwd, "home/note"), "~/note", "@home/note", `file://${cwd}/home/note`]) expect((await run(path)).text).toEndWith("1:hi");
  put("@scope/x", "at\n");
  expect((await run("@scope/x")).text).toEndWith("1:at");
});

test("a missing file brings its likely name, or the folder that is missing", async () => {
  expect(await run("src/b.ts")).toMatchObject({ failed: true, text: "src/b.ts: no such file or directory. Did you mean src/a.ts?" });
  expect((await run("scr/a.ts")).text).toBe("scr/a.ts: no such file or directory. There is no scr. Did you mean src?");
});

test("what is not text is refused with a reason", async () => {
  put("binary", "\0\x01");
  expect(await run("binary")).toMatchObject({ failed: true, text: "binary: is not a text file. Look at it with a program that knows its format." });
  expect(await run("/dev/zero")).toMatchObject({ failed: true, text: "/dev/zero: is a device, not a regular file" });
  expect((await run("a\0b")).failed).toBe(true);
});

test("an artifact is read by its id, with selectors", async () => {
  put("session/0.bash.log", numbers(50));
  expect((await run("artifact://0:20-20")).text).toBe("[artifact://0]\n19:line 19\n20:line 20\n21:line 21\n22:line 22\n23:line 23");
  expect((await run("artifact://0")).meta?.source).toEqual({ internal: "artifact://0" });
  expect(await run("artifact://7")).toMatchObject({ failed: true, text: "Artifact 7 not found. Available: 0" });
  expect(await run("artifact://x")).toMatchObject({ failed: true, text: "artifact:// ID must be numeric, got: x" });
});
