import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { folded, foldsAt, isInside, mountsIn, spelledLike } from "./path.ts";
import { scratch } from "./test/index.ts";

test("a path lies in a folder by where its names lead, not by how they begin", () => {
  const inside = [
    "/a/b",
    "/a/b/",
    "/a/b/c",
    "/a/b/.c",
    "/a/b/..c",
    "/a/b//c",
    "/a/b/./c",
    "/a/b/c/../d",
    "/a/x/../b/c",
  ];
  const outside = ["/a", "/a/bc", "/a/b/..", "/a/b/../c", "/a/b/c/../../d", "/a/b/\0", "/", "/x/a/b"];
  expect(inside.filter((path) => !isInside("/a/b", path))).toEqual([]);
  expect(outside.filter((path) => isInside("/a/b", path))).toEqual([]);
  expect([isInside("/", "/a"), isInside("/a/b/", "/a/b/c"), isInside("/a/b/", "/a/c")]).toEqual([true, true, false]);
});

test("all spellings that a volume could take for one have one form, and others have another", () => {
  const forms = ["Stra\u00dfe.txt", "STRASSE.TXT", "strasse.txt"].map(folded);
  expect(new Set(forms).size).toBe(1);
  expect(folded("caf\u00e9")).toBe(folded("CAFE\u0301"));
  expect(folded("caf\u00e9")).not.toBe(folded("cafe"));
  expect(folded("a/b")).not.toBe(folded("a-b"));
});

test("the last names of a path take the spelling of the disk, up to a link", () => {
  expect(spelledLike("/p/readme.MD", "/p/README.md")).toBe("/p/README.md");
  expect(spelledLike("/tmp/P/a.TXT", "/private/tmp/p/A.txt")).toBe("/tmp/p/A.txt");
  expect(spelledLike("/p/link/x.TXT", "/other/place/x.txt")).toBe("/p/link/x.txt");
  expect(spelledLike("/p/link", "/elsewhere")).toBe("/p/link");
});

test("a folder that tells names apart does not fold, whatever stands in it", () => {
  using dir = scratch();
  dir.write({ "a.txt": "", "A.txt": "", "in/b.txt": "" });
  mkdirSync(dir.at("empty"));
  for (const name of ["a.txt", "A.TXT", "in/B.txt", "empty/x", "gone/y"])
    expect([name, foldsAt(dir.at(name))]).toEqual([name, process.platform !== "linux"]);
});

test("only mounts that could fold are looked at, the deepest first, with blanks in their names", () => {
  const row = (at: string, type: string) => `43 27 7:0 / ${at} rw,relatime shared:1 - ${type} /dev/loop0 rw`;
  const text = [row("/", "ext4"), row("/mnt", "fuseblk"), row("/mnt/my\\040disk", "vfat"), row("/proc", "proc")];
  expect(mountsIn(text.join("\n"))).toEqual(["/mnt/my disk", "/mnt"]);
  expect(mountsIn(row("/", "9p"))).toEqual([]);
  expect(mountsIn("")).toEqual([]);
});
