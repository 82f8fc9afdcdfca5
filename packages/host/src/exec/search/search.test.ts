import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { type ListRequest, listFiles } from "./list.ts";
import { rgPath } from "./rg-path.ts";
import { type SearchRequest, searchFiles } from "./search.ts";

const { path: dir } = scratch(afterAll);
const put = (path: string, content: string, age = 0) => {
  mkdirSync(join(dir, path, ".."), { recursive: true });
  writeFileSync(join(dir, path), content);
  utimesSync(join(dir, path), 1_700_000_000 - age, 1_700_000_000 - age);
};
let rg = "";
beforeAll(async () => {
  const program = await rgPath({ cacheDir: join(dir, "unused") });
  if (program.ok) rg = program.value;
  put(".gitignore", "*.log\nbuilt/\n", 90);
  put("src/a.ts", "alpha\nneedle one\nbeta\n", 10);
  put("src/deep/b.ts", "needle two\r\n", 20);
  put("src/deep/c.js", "NEEDLE\n", 30);
  put("notes.log", "needle ignored\n", 40);
  put("built/out.ts", "needle built\n", 50);
  put(".hidden/d.ts", "needle hidden\n", 60);
  put(".git/e.ts", "needle git\n", 70);
  put("odd\nname:1:.ts", "needle odd\n", 80);
  put("binary", "needle\nneedle\0\n", 85);
});

const base = { timeoutMs: 10_000, signal: new AbortController().signal };
async function search(pattern: string, request: Partial<SearchRequest> = {}) {
  const got = await searchFiles({ ...base, rg, root: dir, pattern, max: 100, ...request });
  if (!got.ok) throw new Error(`${got.kind}: ${got.message}`);
  return got.value;
}
async function list(glob: string, request: Partial<ListRequest> = {}) {
  const got = await listFiles({ ...base, rg, root: dir, glob, max: 100, ...request });
  if (!got.ok) throw new Error(`${got.kind}: ${got.message}`);
  return got.value;
}
const paths = (hits: { files: { path: string }[] }) => hits.files.map((file) => file.path);

test("matches come by file, sorted, with line numbers, without ignored files and .git, with hidden ones", async () => {
  const hits = await search("needle");
  expect(paths(hits).filter((path) => path !== "binary")).toEqual([
    ".hidden/d.ts",
    "odd\nname:1:.ts",
    "src/a.ts",
    "src/deep/b.ts",
  ]);
  expect(hits.files.find((file) => file.path === "src/a.ts")?.lines).toEqual([
    { number: 2, match: true, text: "needle one" },
  ]);
  expect(hits.end).toBe("complete");
});

test("a carriage return is not part of the text, a name may hold anything", async () => {
  const hits = await search("needle (two|odd)");
  expect(hits.files.map((file) => [file.path, file.lines[0]?.text])).toEqual([
    ["odd\nname:1:.ts", "needle odd"],
    ["src/deep/b.ts", "needle two"],
  ]);
});

test("context lines are told from matches", async () => {
  const hits = await search("needle one", { context: { before: 1, after: 1 } });
  expect(hits.files[0]?.lines.map((line) => [line.number, line.match])).toEqual([
    [1, false],
    [2, true],
    [3, false],
  ]);
  expect(hits.matches).toBe(1);
});

test("case can be ignored, a single file searched, several lines matched", async () => {
  expect(paths(await search("needle", { ignoreCase: true, glob: "**/*.js" }))).toEqual(["src/deep/c.js"]);
  expect(paths(await search("needle", { root: join(dir, "src/a.ts") }))).toEqual(["a.ts"]);
  expect(paths(await search("needle", { root: join(dir, "notes.log") }))).toEqual(["notes.log"]);
  expect((await search("alpha\\nneedle")).matches).toBe(2);
});

test("a glob narrows and never brings ignored files back", async () => {
  expect(paths(await search("needle", { glob: "**/*.log" }))).toEqual([]);
  expect(paths(await search("needle", { glob: "src/*.ts" }))).toEqual(["src/a.ts"]);
  expect(paths(await search("needle", { glob: "src/**/*.{ts,js}" }))).toEqual(["src/a.ts", "src/deep/b.ts"]);
  expect(paths(await search("needle", { glob: "*.ts" }))).toEqual(["odd\nname:1:.ts"]);
  expect(paths(await search("needle", { ignores: "off", glob: "**/*.log" }))).toEqual(["notes.log"]);
});

test("patterns beyond the default engine work: look-around and braces that are no quantifier", async () => {
  expect((await search("(?<=needle )one")).matches).toBe(1);
  put("brace.go", "var x interface{}\n", 100);
  expect(paths(await search("interface{}"))).toEqual(["brace.go"]);
});

test("a pattern that does not compile is told in one sentence", async () => {
  const got = await searchFiles({ ...base, rg, root: dir, pattern: "foo(", max: 1 });
  expect(got).toEqual({ ok: false, kind: "pattern", message: "unclosed group" });
});

test("a pattern that looks like an option is a pattern", async () => {
  expect((await search("--files")).matches).toBe(0);
});

test("searching stops at its limit", async () => {
  const hits = await search("e", { max: 2 });
  expect([hits.matches, hits.end]).toEqual([2, "enough"]);
});

test("an abort and a timeout end the search", async () => {
  const aborted = await searchFiles({ ...base, rg, root: dir, pattern: "x", max: 1, signal: AbortSignal.abort() });
  expect(aborted.ok ? "ok" : aborted.kind).toBe("aborted");
  const slow = join(dir, "slow-rg");
  writeFileSync(slow, "#!/bin/sh\nexec sleep 20\n", { mode: 0o755 });
  expect((await search("x", { rg: slow, timeoutMs: 50 })).end).toBe("timeout");
  const broken = await searchFiles({ ...base, rg: join(dir, "no-rg"), root: dir, pattern: "x", max: 1 });
  expect(broken.ok ? "ok" : broken.kind).toBe("spawn");
});

test("files are listed newest first, without ignored ones", async () => {
  expect((await list("**/*.ts")).paths).toEqual(["src/a.ts", "src/deep/b.ts", ".hidden/d.ts", "odd\nname:1:.ts"]);
  expect((await list("src/*.ts")).paths).toEqual(["src/a.ts"]);
  expect((await list("src/**")).paths).toEqual(["src/a.ts", "src/deep/b.ts", "src/deep/c.js"]);
  expect(await list("**/*.{js,ts}", { max: 1 })).toMatchObject({ paths: ["src/a.ts"], more: true, end: "complete" });
  expect((await list("**/*.log", { ignores: "off" })).paths).toEqual(["notes.log"]);
  expect((await list("**/d.ts", { hidden: "leave out" })).paths).toEqual([]);
});

test("directories are found by their names, and end in a slash", async () => {
  expect((await list("**/de*")).paths).toEqual(["src/deep/"]);
  expect((await list("src/*")).paths.toSorted()).toEqual(["src/a.ts", "src/deep/"]);
});

test("what was found so far is told while it goes on", async () => {
  const seen: number[] = [];
  await list("**/*.ts", { onFound: (paths) => seen.push(paths.length) });
  expect(seen.at(-1)).toBe(4);
});

test("a file full of matches leaves room for the others, and the same question brings the same answer", async () => {
  for (let i = 0; i < 30; i++) put(`many/${i}.txt`, "hit\n".repeat(50), 100);
  const hits = await search("hit", { root: join(dir, "many"), perFile: 5 });
  expect([hits.files.length, hits.matches]).toEqual([20, 100]);
  expect(paths(hits)).toEqual(paths(await search("hit", { root: join(dir, "many"), perFile: 5 })));
});

test("a text that is in no file is searched as well", async () => {
  const hits = await search("b.d", { input: Buffer.from("abc\nbad\n") });
  expect(hits.files[0]?.lines).toEqual([{ number: 2, match: true, text: "bad" }]);
});

test("the configured ripgrep wins or is complained about; the shipped one runs", async () => {
  const configured = join(dir, "own-rg");
  writeFileSync(configured, "#!/bin/sh\n", { mode: 0o755 });
  expect(await rgPath({ cacheDir: dir, configured })).toEqual({ ok: true, value: configured });
  const bad = await rgPath({ cacheDir: dir, configured: join(dir, "src/a.ts") });
  expect(bad.ok).toBe(false);
  expect(Bun.spawnSync([rg, "--version"]).stdout.toString()).toStartWith("ripgrep ");
  expect(statSync(rg).size).toBeGreaterThan(1_000_000);
});

test.skipIf(process.platform !== "linux")(
  "an ignore file without end is given up before it fills the memory",
  async () => {
    using hostile = scratch();
    hostile.write({ "sub/a": "x" });
    for (const name of [".gitignore", ".ignore"]) {
      symlinkSync("/dev/zero", hostile.at("sub", name));
      const got = await listFiles({ ...base, timeoutMs: 12_000, rg, root: hostile.path, max: 10 });
      expect(got.ok ? got.value.end : got.kind).toBe("unreadable");
      rmSync(hostile.at("sub", name));
    }
  },
  40_000,
);
