import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listDirectory } from "./directory.ts";
import { nearPath } from "./near.ts";

const dir = mkdtempSync(join(tmpdir(), "pith-dir-"));
afterAll(() => rmSync(dir, { recursive: true }));
mkdirSync(join(dir, "zoo"));
writeFileSync(join(dir, "b.ts"), "12345");
writeFileSync(join(dir, "A.ts"), "");
symlinkSync("zoo", join(dir, "link"));
symlinkSync("nowhere", join(dir, "dangling"));

test("directories come first, then names in order; links are followed and marked", () => {
  expect(listDirectory(dir, 100)).toEqual({
    ok: true,
    value: {
      total: 5,
      entries: [
        { name: "link", type: "directory", link: true },
        { name: "zoo", type: "directory" },
        { name: "A.ts", type: "file", size: 0 },
        { name: "b.ts", type: "file", size: 5 },
        { name: "dangling", type: "other", link: true },
      ],
    },
  });
});

test("a long directory is cut and tells how much there is", () => {
  const got = listDirectory(dir, 2);
  expect(got.ok && [got.value.entries.length, got.value.total]).toEqual([2, 5]);
});

test("what is no directory is told by its kind", () => {
  const kind = (path: string) => {
    const got = listDirectory(path, 1);
    return got.ok ? "ok" : got.kind;
  };
  expect([kind(join(dir, "b.ts")), kind(join(dir, "none"))]).toEqual(["not-directory", "missing"]);
});

test("a mistyped name finds its neighbours, and a missing folder is named", () => {
  expect(nearPath(join(dir, "B.tsx")).names).toEqual(["b.ts"]);
  expect(nearPath(join(dir, "zo", "x", "y.ts"))).toEqual({ parent: dir, missing: "zo", names: ["zoo"] });
  expect(nearPath(join(dir, "completely-different")).names).toEqual([]);
});
