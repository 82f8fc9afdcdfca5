import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { displayName, escapeName, resolvePath } from "./path.ts";
import { readRoots } from "./root.ts";

const dir = mkdtempSync(join(tmpdir(), "pith-place-"));
afterAll(() => rmSync(dir, { recursive: true }));
const put = (path: string) => {
  mkdirSync(join(dir, path, ".."), { recursive: true });
  writeFileSync(join(dir, path), "");
};
for (const path of [
  "a/src/x.ts",
  "a/b/inner.ts",
  "a/both",
  "b/both",
  "b/only.ts",
  "b/src/y.ts",
  "app/main.ts",
  "twin/twin/z.ts",
])
  put(path);
const inFolder = (root: string) => ({ cwd: join(dir, root), userHome: "/home/u" });
const both = { ...inFolder("a"), roots: [join(dir, "b")] };
const at = (path: string) => join(dir, path);

test("one folder: its own name in front is left out, unless something in it is called so or the file is new", () => {
  expect(resolvePath(inFolder("app"), "app")).toBe(at("app"));
  expect(resolvePath(inFolder("app"), "app/main.ts")).toBe(at("app/main.ts"));
  expect(resolvePath(inFolder("app"), "app/new.ts")).toBe(at("app/app/new.ts"));
  mkdirSync(join(dir, "app/lib"));
  expect(resolvePath(inFolder("app"), "app/lib/new.ts")).toBe(at("app/lib/new.ts"));
  expect(resolvePath(inFolder("app"), "app/none/new.ts")).toBe(at("app/app/none/new.ts"));
  expect(resolvePath(inFolder("app"), "src/new.ts")).toBe(at("app/src/new.ts"));
  expect(resolvePath(inFolder("twin"), "twin/z.ts")).toBe(at("twin/twin/z.ts"));
  expect(resolvePath(inFolder("twin"), "twin")).toBe(at("twin/twin"));
});

test("several folders: a bare name is the folder, then the first that has the file, then the first", () => {
  expect(resolvePath(both, "b")).toBe(at("b"));
  expect(resolvePath(both, "both")).toBe(at("a/both"));
  expect(resolvePath(both, "only.ts")).toBe(at("b/only.ts"));
  expect(resolvePath(both, "b/src/y.ts")).toBe(at("b/src/y.ts"));
  expect(resolvePath(both, "b/inner.ts")).toBe(at("a/b/inner.ts"));
  expect(resolvePath(both, "fresh/new.ts")).toBe(at("a/fresh/new.ts"));
});

test("folders are named one per line", () => {
  expect(readRoots("../b\n\n~/c, d\n/e", "/w/a", "/home/u")).toEqual(["/w/b", "/home/u/c, d", "/e"]);
  expect(readRoots(undefined, "/w/a", "/home/u")).toEqual([]);
});

test("absolute paths, the home and file URLs stay what they are", () => {
  expect(resolvePath(both, "/etc/hosts")).toBe("/etc/hosts");
  expect(resolvePath(both, "~/x")).toBe("/home/u/x");
  expect(resolvePath(both, "file:///tmp/a%20b")).toBe("/tmp/a b");
  symlinkSync("/etc", at("app/out"));
  expect(resolvePath(inFolder("app"), "out/../x")).toBe(at("app/x"));
});

test("every name is shown on one line and means the same file when it is given back", () => {
  expect(escapeName("two\nlines\x1b[1m.txt")).toBe("two\\nlines\\x1b[1m.txt");
  const names = [
    "two\nlines\x1b[1m",
    "back\\slash",
    "not\\new",
    "both\\\n",
    "\\\\",
    "end\\",
    "@odd",
    "a@b",
    "\\x1b",
    "@",
  ];
  for (const name of names) {
    const shown = displayName(join(dir, "app"), at(`app/${name}`));
    expect(shown).not.toContain("\n");
    expect(resolvePath(inFolder("app"), shown)).toBe(at(`app/${name}`));
  }
});

test("what a name means does not change with the files that are there", () => {
  const before = ["@out/x", "@/tmp/x", "./@/tmp/x", "a\\nb"].map((name) => resolvePath(inFolder("app"), name));
  for (const name of ["app/@out/x", "app/@/tmp/x", "app/a\\nb"]) put(name);
  const after = ["@out/x", "@/tmp/x", "./@/tmp/x", "a\\nb"].map((name) => resolvePath(inFolder("app"), name));
  expect(after).toEqual(before);
  expect(before).toEqual([at("app/out/x"), "/tmp/x", at("app/@/tmp/x"), at("app/a\nb")]);
});
