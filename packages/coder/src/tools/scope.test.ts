import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readScopes } from "./scope.ts";

const cwd = mkdtempSync(join(tmpdir(), "pith-scope-"));
afterAll(() => rmSync(cwd, { recursive: true }));
for (const path of ["a.ts", "b.ts", "c d.ts", "e,f.ts", "src/x.ts", "app/[id]/page.tsx"]) {
  mkdirSync(join(cwd, path, ".."), { recursive: true });
  writeFileSync(join(cwd, path), "");
}
const scopes = (...entries: string[]) => {
  const got = readScopes({ cwd, userHome: cwd }, entries);
  if (!got.ok) return got.kind;
  return got.value.map((scope) => {
    const where = scope.is === "file" || scope.is === "directory" ? scope.path.slice(cwd.length + 1) : scope.given;
    return `${scope.is} ${where}${"glob" in scope && scope.glob ? ` ${scope.glob}` : ""}`.replace("  ", " ");
  });
};

test("a bare pattern is meant at any depth, one below a directory is not", () => {
  expect(scopes("*.ts")).toEqual(["directory **/*.ts"]);
  expect(scopes("src/*.ts")).toEqual(["directory src *.ts"]);
  expect(scopes("src/**/*.ts", "**/*.md")).toEqual(["directory src **/*.ts", "directory **/*.md"]);
  expect(scopes("src", "a.ts")).toEqual(["directory src", "file a.ts"]);
});

test("entries written as one are taken apart when the parts are there", () => {
  expect(scopes("a.ts, b.ts")).toEqual(["file a.ts", "file b.ts"]);
  expect(scopes("a.ts;gone.ts")).toEqual(["file a.ts", "missing gone.ts"]);
  expect(scopes("a.ts b.ts")).toEqual(["file a.ts", "file b.ts"]);
  expect(scopes("a.ts gone.ts")).toEqual(["missing a.ts gone.ts"]);
  expect(scopes("gone, nowhere")).toEqual(["missing gone, nowhere"]);
});

test("a name that is there stays whole, whatever signs it has", () => {
  expect(scopes("c d.ts", "e,f.ts", "app/[id]/page.tsx")).toEqual(["file c d.ts", "file e,f.ts", "file app/[id]/page.tsx"]);
  expect(scopes("{a,b}.ts")).toEqual(["directory **/{a,b}.ts"]);
});

test("quotes around an entry are not part of it, and an empty one is refused", () => {
  expect(scopes('"a.ts"', "'src'")).toEqual(["file a.ts", "directory src"]);
  expect(scopes("")).toBe("empty");
  expect(scopes("a.ts", "  ")).toBe("empty");
  expect(scopes()).toBe("empty");
});
