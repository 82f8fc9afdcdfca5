import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resultFields } from "@pith/agent";
import { rgPath } from "@pith/host";
import { fail } from "@pith/kit";
import { search } from "./search.ts";

const cwd = mkdtempSync(join(tmpdir(), "pith-grep-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const put = (path: string, content: string) => {
  mkdirSync(join(cwd, path, ".."), { recursive: true });
  writeFileSync(join(cwd, path), content);
};
put("src/a.ts", "zero\none needle\ntwo\nthree\nfour\nfive needle\n");
put("src/b.ts", "needle\n");
put("many.txt", "hit\n".repeat(2500));
put("long.txt", `long ${"x".repeat(2000)}\n`);
const own = search({ cwd, userHome: cwd, rg: () => rgPath({ cacheDir: cwd }) });
const call = { id: "1", signal: new AbortController().signal, progress() {} };
const run = (pattern: string, more: object = {}) => own.run({ pattern, ...more }, call);
const said = async (pattern: string, more: object = {}) => {
  const [block] = resultFields(await run(pattern, more)).content;
  return block?.type === "text" ? block.text : "";
};

test("matches are grouped by file with their line numbers", async () => {
  expect(await run("needle")).toMatchObject({
    kind: "matches",
    data: { pattern: "needle", files: 2, count: 3 },
    text: "# src/a.ts\n*2:one needle\n*6:five needle\n\n# src/b.ts\n*1:needle",
  });
  expect(await said("needle")).toEndWith("*1:needle");
});

test("lines around a match are told from it, gaps are marked", async () => {
  expect((await run("needle", { path: "src/a.ts", context: 1 })).text).toBe("# src/a.ts\n 1:zero\n*2:one needle\n 3:two\n...\n 5:four\n*6:five needle");
});

test("the limit is told, also when there are more matches than are ever collected", async () => {
  expect(await said("needle", { limit: 2 })).toBe("# src/a.ts\n*2:one needle\n*6:five needle\n\n[Stopped at 2 matches; narrow the pattern or the path]");
  const got = await run("hit");
  expect(got.data).toEqual({ pattern: "hit", files: 1, count: 200 });
  expect(got.meta?.limits).toEqual({ matchLimit: 200 });
  expect((await run("hit", { limit: 2000 })).meta?.limits).toEqual({ matchLimit: 2000 });
});

test("long lines are cut", async () => {
  const got = await run("long");
  expect(got.text).toBe(`# long.txt\n*1:long ${"x".repeat(507)}…`);
  expect(got.meta?.limits).toEqual({ columnLimit: 512 });
});

test("nothing found is no error; a bad pattern or path is", async () => {
  expect(await run("absent")).toMatchObject({ text: "No matches found", data: { count: 0 } });
  expect((await run("absent")).failed).toBeUndefined();
  expect(await run("foo(")).toMatchObject({ failed: true, text: "Invalid regex: unclosed group" });
  expect(await run("x", { path: "nowhere" })).toMatchObject({ failed: true, text: "Path not found: nowhere" });
  expect(await run("")).toMatchObject({ failed: true, text: "Pattern must not be empty" });
});

test("without ripgrep the result says what is missing", async () => {
  const bare = search({ cwd, userHome: cwd, rg: async () => fail("missing", "ripgrep (rg) was not found") });
  expect(await bare.run({ pattern: "x" }, call)).toMatchObject({ failed: true, text: "ripgrep (rg) was not found" });
});

test("a search reads below its path", () => {
  expect(own.effect).toBe("read");
  expect(own.paths?.({ pattern: "x", path: "src" })).toEqual([join(cwd, "src")]);
  expect(own.paths?.({ pattern: "x" })).toEqual([cwd]);
});
