import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { findAny } from "./target.ts";
import { writeTo, writeWhole } from "./write.ts";

const { path: dir } = scratch(afterAll);

const at = (...parts: string[]) => join(dir, ...parts);
const bytes = (text: string) => Buffer.from(text);
const text = (path: string) => readFileSync(path, "utf8");
const mode = (path: string) => statSync(path).mode & 0o7777;

test("a new file appears with its parent directories and nothing beside it", async () => {
  expect(await writeWhole(at("new", "deep", "a.txt"), bytes("hi"))).toEqual({ ok: true, value: { change: "created" } });
  expect(text(at("new", "deep", "a.txt"))).toBe("hi");
  expect(readdirSync(at("new", "deep"))).toEqual(["a.txt"]);
});

test("an existing file keeps its mode and gets a new inode, so a reader keeps the old bytes", async () => {
  writeFileSync(at("mode"), "old");
  chmodSync(at("mode"), 0o640);
  const before = statSync(at("mode")).ino;
  expect(await writeWhole(at("mode"), bytes("new"))).toEqual({ ok: true, value: { change: "replaced" } });
  expect(text(at("mode"))).toBe("new");
  expect(mode(at("mode"))).toBe(0o640);
  expect(statSync(at("mode")).ino).not.toBe(before);
});

test("an executable file can be asked for, and stays one", async () => {
  const target = findAny(at("run.sh"));
  if (target.ok) await writeTo(target.value, bytes("#!/bin/sh\n"), true);
  expect(mode(at("run.sh")) & 0o111).toBe((mode(at("run.sh")) & 0o444) >> 2);
  await writeWhole(at("run.sh"), bytes("#!/bin/sh\nexit\n"));
  expect(mode(at("run.sh")) & 0o100).toBe(0o100);
});

test("a link stays a link and its target is written", async () => {
  writeFileSync(at("target"), "old");
  symlinkSync("target", at("link"));
  await writeWhole(at("link"), bytes("new"));
  expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
  expect(text(at("target"))).toBe("new");
});

test("writing through a dangling link makes its target", async () => {
  symlinkSync(at("elsewhere", "made"), at("dangling"));
  expect(await writeWhole(at("dangling"), bytes("x"))).toEqual({ ok: true, value: { change: "created" } });
  expect(text(at("elsewhere", "made"))).toBe("x");
});

test("the other names of a file with hard links see the change", async () => {
  writeFileSync(at("one"), "a longer old content");
  linkSync(at("one"), at("two"));
  expect(await writeWhole(at("one"), bytes("new"))).toEqual({
    ok: true,
    value: { change: "replaced", inPlace: "hard links" },
  });
  expect(text(at("two"))).toBe("new");
});

test("a file that changed since it was read is not overwritten", async () => {
  writeFileSync(at("race"), "mine");
  const target = findAny(at("race"));
  writeFileSync(at("race"), "theirs!");
  const got = target.ok ? await writeTo(target.value, bytes("x")) : target;
  expect(got.ok ? "ok" : got.kind).toBe("changed");
  expect(text(at("race"))).toBe("theirs!");
});

test("a file that changes while it is written is not overwritten, and nothing is left beside it", async () => {
  mkdirSync(at("busy"));
  writeFileSync(at("busy", "race"), "mine");
  const writing = writeWhole(at("busy", "race"), bytes("x"));
  writeFileSync(at("busy", "race"), "theirs!");
  const got = await writing;
  expect(got.ok ? "ok" : got.kind).toBe("changed");
  expect(text(at("busy", "race"))).toBe("theirs!");
  expect(readdirSync(at("busy"))).toEqual(["race"]);
});

test("a file of any size can be replaced without being read", async () => {
  writeFileSync(at("huge"), "");
  truncateSync(at("huge"), 3 * 1024 ** 3);
  expect(await writeWhole(at("huge"), bytes("small"))).toEqual({ ok: true, value: { change: "replaced" } });
  expect(text(at("huge"))).toBe("small");
});

test("directories that were made for a file go again when it cannot be written", async () => {
  writeFileSync(at("blocked"), "x");
  expect(await writeWhole(at("a", "b", "n".repeat(300)), bytes("x"))).toMatchObject({ ok: false, kind: "invalid" });
  expect(existsSync(at("a"))).toBe(false);
});

test("a directory, a device and a file in the way are refused with their kind, and nothing is left", async () => {
  mkdirSync(at("folder"));
  writeFileSync(at("plain"), "x");
  const kind = async (path: string) => {
    const got = await writeWhole(path, bytes("x"));
    return got.ok ? "ok" : got.kind;
  };
  expect(await kind(at("folder"))).toBe("directory");
  expect(await kind("/dev/null")).toBe("special");
  expect(await kind(at("plain", "below"))).toBe("not-directory");
  expect(await kind(at("n".repeat(300)))).toBe("invalid");
  expect(readdirSync(dir).filter((name) => name.startsWith(".pith-"))).toEqual([]);
});

test("a read-only file is denied, even where its directory may be written", async () => {
  writeFileSync(at("locked"), "x");
  chmodSync(at("locked"), 0o444);
  const got = await writeWhole(at("locked"), bytes("y"));
  expect(got.ok ? "ok" : got.kind).toBe("denied");
  expect(text(at("locked"))).toBe("x");
});
