import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { openProject } from "../test/project.ts";
import { readScopes } from "./scope.ts";

const { cwd, files, put, at } = openProject("scope");
for (const path of ["a.ts", "b.ts", "c d.ts", "e,f.ts", "src/x.ts", "app/[id]/page.tsx"]) put(path);
const scopes = (...entries: string[]) => {
  const got = readScopes(files, entries);
  if (!got.ok) return got.kind === "path" ? got.message : got.kind;
  return got.value.map((scope) => {
    const where =
      scope.is === "file" || scope.is === "directory" ? scope.at.path.slice(cwd.length + 1) : scope.argument;
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
  expect(scopes("src/*.ts, *.md")).toEqual(["directory src *.ts", "directory **/*.md"]);
  expect(scopes("src/*.ts a.ts")).toEqual(["directory src *.ts", "file a.ts"]);
  expect(scopes("src/{x,y z}.ts")).toEqual(["directory src {x,y z}.ts"]);
  expect(scopes("c d*.ts")).toEqual(["directory **/c d*.ts"]);
});

test("a name that is there stays whole, whatever signs it has", () => {
  expect(scopes("c d.ts", "e,f.ts", "app/[id]/page.tsx")).toEqual([
    "file c d.ts",
    "file e,f.ts",
    "file app/[id]/page.tsx",
  ]);
  expect(scopes("{a,b}.ts")).toEqual(["directory **/{a,b}.ts"]);
});

test("quotes around an entry are not part of it, and an empty one is refused", () => {
  expect(scopes('"a.ts"', "'src'")).toEqual(["file a.ts", "directory src"]);
  expect(scopes("")).toBe("An entry of paths is empty");
  expect(scopes("a.ts", "  ")).toBe("An entry of paths is empty");
});

test("no entry at all means the project", () => {
  expect(scopes()).toEqual(scopes("."));
});

test("a directory that is called like a pattern is meant as it is called", () => {
  expect(scopes("app/[id]/*.tsx")).toEqual(["directory app/[id] *.tsx"]);
  expect(scopes("app/[id]")).toEqual(["directory app/[id]"]);
});

test("a pattern that is not closed, and one below a file, are told apart from one that finds nothing", () => {
  expect(scopes("src/[a")).toBe("src/[a: a bracket or brace of the glob is not closed");
  expect(scopes("src/{a,b")).toBe("src/{a,b: a bracket or brace of the glob is not closed");
  expect(scopes("a.ts/*")).toBe("a.ts/*: the part before the glob is not a directory");
  expect(scopes("gone/*")).toEqual(["missing gone/* *"]);
});

test("what begins with ! is left out of the rest, or of the project", () => {
  const except = (...entries: string[]) => {
    const got = readScopes(files, entries);
    return got.ok
      ? got.value.map((scope) => [scope.argument, scope.is === "directory" ? scope.except : undefined])
      : got.message;
  };
  expect(except("src", "a.ts", "!*.test.ts")).toEqual([
    ["src", ["/**/*.test.ts", "/**/*.test.ts/**"]],
    ["a.ts", undefined],
  ]);
  expect(except("!dist")).toEqual([[".", ["/**/dist", "/**/dist/**"]]]);
  expect(except("!src/gen")).toEqual([[".", [`${cwd}/src/gen`, `${cwd}/src/gen/**`]]]);
  expect(except("src, !src/x.ts")).toEqual([["src", [`${cwd}/src/x.ts`, `${cwd}/src/x.ts/**`]]]);
});

test("what is left out of a directory is left out where a link to it leads", () => {
  mkdirSync(at("real/gen"), { recursive: true });
  symlinkSync(at("real"), at("alias"));
  const got = readScopes(files, ["alias", "!alias/gen"]);
  expect(got.ok && got.value).toMatchObject([
    { at: { path: at("alias"), real: at("real") }, except: [at("real/gen"), at("real/gen/**")] },
  ]);
});

test("what is read for scopes is told by its real path, what means nothing is not", () => {
  symlinkSync("/etc", at("etc"));
  const got = readScopes(files, ["etc/*.conf", "a.ts", "gone", "skill://x"]);
  expect(got.ok && got.value.flatMap((scope) => ("at" in scope ? [scope.at] : []))).toEqual([
    { effect: "read", path: at("etc"), real: "/etc" },
    { effect: "read", path: at("a.ts"), real: at("a.ts") },
  ]);
});
