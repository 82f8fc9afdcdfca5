import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rgPath } from "@pith/host";
import { find } from "./find.ts";

const cwd = mkdtempSync(join(tmpdir(), "pith-find-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const put = (path: string, age: number) => {
  mkdirSync(join(cwd, path, ".."), { recursive: true });
  writeFileSync(join(cwd, path), "");
  utimesSync(join(cwd, path), 1_700_000_000 - age, 1_700_000_000 - age);
};
put("root.ts", 50);
put("src/old.ts", 40);
put("src/new.ts", 10);
put("lib/mid.ts", 20);
put("src/other.js", 5);
const own = find({ cwd, userHome: cwd, rg: () => rgPath({ cacheDir: cwd }) });
const call = { id: "1", signal: new AbortController().signal, progress() {} };
const run = (pattern: string, more: object = {}) => own.run({ pattern, ...more }, call);

test("files stand below their directories, the root first, then by their newest file", async () => {
  expect(await run("*.ts")).toMatchObject({
    kind: "listing",
    data: { path: ".", count: 4 },
    text: "root.ts\n\n# src/\nnew.ts\nold.ts\n\n# lib/\nmid.ts",
  });
});

test("a path narrows, and its name stays in the result", async () => {
  expect((await run("*.js", { path: "src" })).text).toBe("# src/\nother.js");
});

test("the limit keeps the newest and is told", async () => {
  const got = await run("*.ts", { limit: 1 });
  expect(got.text).toBe("# src/\nnew.ts");
  expect(got.meta?.limits).toEqual({ resultLimit: 1 });
});

test("nothing found is no error; a bad path is", async () => {
  expect(await run("*.none")).toMatchObject({ text: "No files found matching pattern", data: { count: 0 } });
  expect(await run("*", { path: "nowhere" })).toMatchObject({ failed: true, text: "Path not found: nowhere" });
  expect(await run("*", { path: "root.ts" })).toMatchObject({ failed: true, text: "Path is not a directory: root.ts" });
  expect(await run("*", { path: "/" })).toMatchObject({ failed: true, text: "Searching from root directory '/' is not allowed" });
});
