import { expect, test } from "bun:test";
import { closeSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { isOpenInside, isOwnFolder, isUnlinked, openPlain, readPlain } from "./plain-file.ts";
import { scratch } from "./test/index.ts";

test("a file is read whole up to its limit, whatever size it tells", () => {
  using dir = scratch();
  dir.write({ a: "12345" });
  expect(readPlain(dir.at("a"), { maxBytes: 5 })).toEqual({ ok: true, value: "12345" });
  expect(readPlain(dir.at("a"), { maxBytes: 4 })).toMatchObject({ ok: false, kind: "unfit", message: "is too large" });
  expect(readPlain(dir.at("b"), { maxBytes: 4 })).toMatchObject({ ok: false, kind: "missing" });
  expect(readPlain(dir.at("a", "b"), { maxBytes: 4 })).toMatchObject({ ok: false, kind: "missing" });
  const long = "x".repeat(200_000);
  dir.write({ long });
  expect(readPlain(dir.at("long"), { maxBytes: 200_000 })).toEqual({ ok: true, value: long });
  expect(readPlain(dir.at("long"), { maxBytes: 199_999 })).toMatchObject({ ok: false, kind: "unfit" });
  // Their size is told as 0.
  expect(readPlain("/proc/self/status", { maxBytes: 1 << 20 })).toMatchObject({ ok: true });
  expect(readPlain("/proc/self/status", { maxBytes: 10 })).toMatchObject({ ok: false, kind: "unfit" });
});

test("what is no regular file is answered at once", () => {
  using dir = scratch();
  Bun.spawnSync(["mkfifo", dir.at("pipe")]);
  for (const path of [dir.path, dir.at("pipe"), "/dev/zero", "/dev/tty"])
    expect(readPlain(path, { maxBytes: 4 })).toMatchObject({ ok: false, kind: "unfit", message: "is not a file" });
});

test("a link is followed as far as the directory goes in which the file must be", () => {
  using dir = scratch();
  dir.write({ "in/a": "inside", "out/a": "outside" });
  symlinkSync("a", dir.at("in", "near"));
  symlinkSync("../out/a", dir.at("in", "far"));
  symlinkSync("../out", dir.at("in", "dir"));
  symlinkSync("in", dir.at("led"));
  const within = dir.at("led");
  expect(readPlain(dir.at("led", "near"), { maxBytes: 9, within })).toEqual({ ok: true, value: "inside" });
  for (const path of [dir.at("in", "far"), dir.at("in", "dir", "a"), dir.at("out", "a")])
    expect(readPlain(path, { maxBytes: 9, within })).toMatchObject({ ok: false, kind: "outside" });
  // Where nothing tells where a handle leads.
  for (const [path, lies] of [
    [dir.at("led", "near"), true],
    [dir.at("in", "far"), false],
    [dir.at("in", "dir", "a"), false],
  ] as const) {
    const fd = openPlain(path, "followed");
    expect(isOpenInside(within, path, fd, undefined)).toBe(lies);
    // Another file by now: what was opened lay elsewhere.
    dir.write({ "in/a.new": "other" });
    renameSync(dir.at("in", "a.new"), dir.at("in", "a"));
    expect(isOpenInside(within, path, fd, undefined)).toBe(false);
    closeSync(fd);
  }
  expect(() => openPlain(dir.at("in", "near"), "refused")).toThrow();
  closeSync(openPlain(dir.at("in", "near"), "followed"));
});

test("a folder is one's own when no link stands in its place, and nothing yet is none", () => {
  using dir = scratch();
  mkdirSync(dir.at("s"));
  symlinkSync("s", dir.at("led"));
  symlinkSync("nowhere", dir.at("s", "dangling"));
  expect(["s", "led", "new"].map((name) => isOwnFolder(dir.at(name)))).toEqual([true, false, true]);
  expect(["s/new/x", "led/x", "s/dangling"].map((below) => isUnlinked(dir.path, below))).toEqual([true, false, false]);
});
