import { expect, test } from "bun:test";
import { closeSync, mkdirSync, openSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { openChangedAt } from "./changed-at.ts";

test("a time told through a held folder is the time of the file, in every century", async () => {
  const changedAt = openChangedAt();
  if (!changedAt) return;
  using dir = scratch();
  mkdirSync(dir.at("in"));
  const held = openSync(dir.at("in"), "r");
  for (const [name, seconds] of [
    ["new", 1_900_000_000.25],
    ["first", 0],
    ["before 1970", -86_400],
    ["far", 2 ** 33],
    ["häßlich …", 1234.5],
    ["n".repeat(250), 7],
  ] as const) {
    writeFileSync(dir.at("in", name), "");
    utimesSync(dir.at("in", name), seconds, seconds);
    expect(changedAt(held, name)).toBe(statSync(dir.at("in", name)).mtimeMs);
  }
  symlinkSync("far", dir.at("in", "link"));
  symlinkSync("gone", dir.at("in", "nowhere"));
  expect(changedAt(held, "link")).toBe(statSync(dir.at("in", "far")).mtimeMs);
  for (const none of ["nowhere", "missing", "new\0", "ä".repeat(300)]) expect(changedAt(held, none)).toBeUndefined();
  closeSync(held);
});
