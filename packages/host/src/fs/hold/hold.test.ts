import { expect, test } from "bun:test";
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { scratch } from "@pith/kit/test";
import { underPermissions } from "../../../../../test/permission.ts";
import type { Held } from "./held.ts";
import { holdFolder, openReal, removeMade, statReal } from "./hold.ts";
import { wayHere } from "./way.ts";

function put(folder: Held, name: string, text: string): void {
  const fd = folder.open(name, constants.O_WRONLY | constants.O_CREAT, 0o600);
  writeFileSync(fd, text);
  closeSync(fd);
}

test("no part of the path may be a link, not even for a moment", () => {
  using dir = scratch();
  dir.write({ "out/sub/secret": "secret", "work/file": "x" });
  symlinkSync(dir.at("out"), dir.at("work/link"));
  symlinkSync(dir.at("out/sub/secret"), dir.at("work/last"));
  for (const missing of ["fails", "is made"] as const) {
    for (const path of ["work/link", "work/link/sub", "work/link/new/deep", "work/file", "work/file/x"])
      expect(() => holdFolder(dir.at(path), missing)).toThrow();
  }
  for (const path of ["work/link/sub/secret", "work/last"]) {
    expect(() => openReal(dir.at(path))).toThrow();
    expect(() => statReal(dir.at(path))).toThrow();
  }
  expect(readdirSync(dir.at("out"), { recursive: true }).sort()).toEqual(["sub", "sub/secret"]);
});

test("a folder that is held stays that folder, wherever its path leads", () => {
  using dir = scratch();
  dir.write({ "out/.keep": "", "work/d/.keep": "" });
  const held = holdFolder(dir.at("work/d"), "fails");
  expect(held.stands()).toBe(true);
  renameSync(dir.at("work/d"), dir.at("work/was"));
  symlinkSync(dir.at("out"), dir.at("work/d"));
  expect(held.stands()).toBe(false);
  if (wayHere().way.name === "path") expect(() => put(held, "new", "x")).toThrow("ECHANGED");
  else {
    put(held, "new", "x");
    expect(readFileSync(dir.at("work/was/new"), "utf8")).toBe("x");
  }
  expect(readdirSync(dir.at("out"))).toEqual([".keep"]);
  held.close();
});

test("folders that were made go again when they are not needed, and those that are used stay", () => {
  using dir = scratch();
  const held = holdFolder(dir.at("a/b/c"), "is made");
  held.close();
  expect(held.made).toEqual([dir.at("a"), dir.at("a/b"), dir.at("a/b/c")]);
  mkdirSync(dir.at("a/used"));
  removeMade(held.made);
  expect(readdirSync(dir.at("a"))).toEqual(["used"]);
});

test.skipIf(wayHere().way.name === "path")("a path that is too long to be opened at once is walked", () => {
  using dir = scratch();
  const deep = dir.at(...Array.from({ length: 30 }, () => "d".repeat(200)));
  const held = holdFolder(deep, "is made");
  put(held, "file", "far");
  const fd = openReal(`${deep}/file`);
  expect(readFileSync(fd, "utf8")).toBe("far");
  closeSync(fd);
  held.close();
  expect(existsSync(dir.at("d".repeat(200)))).toBe(true);
});

underPermissions(import.meta.path)(
  "a folder whose names cannot be listed is held, one that cannot be entered not",
  () => {
    using dir = scratch();
    dir.write({ "blind/.keep": "", "shut/in/.keep": "" });
    chmodSync(dir.at("blind"), 0o300);
    chmodSync(dir.at("shut"), 0o600);
    const held = holdFolder(dir.at("blind"), "fails");
    put(held, "x", "x");
    held.close();
    expect(() => holdFolder(dir.at("shut/in"), "fails")).toThrow("EACCES");
    for (const path of ["blind", "shut"]) chmodSync(dir.at(path), 0o700);
  },
);
