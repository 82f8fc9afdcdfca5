import { expect, test } from "bun:test";
import { isInside } from "./path.ts";

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
