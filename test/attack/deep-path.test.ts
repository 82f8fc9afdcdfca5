// A path is inside or outside however deep it is, however many links it has and whether or not it exists: what cannot
// be followed to its end counts as outside, and is neither read nor written.
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { findAny, makeDatabase, readWhole, writeWhole } from "../../packages/host/src/index.ts";
import { isInside, realPath } from "../../packages/kit/src/index.ts";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

const dir = scratch(afterAll);
const work = dir.at("work");
const outside = dir.at("outside");
for (const folder of [work, outside]) mkdirSync(folder);
const { signal } = new AbortController();
const deep = (depth: number) => Array.from({ length: depth }, () => "a").join("/");
const isIn = (path: string) => isInside(work, realPath(path));

test.each([1, 39, 40, 41, 60, 500])("a link is followed in front of %i missing folders", (depth) => {
  if (!existsSync(join(work, "lnk"))) symlinkSync(outside, join(work, "lnk"));
  expect(realPath(join(work, "lnk", deep(depth), "x"))).toBe(join(outside, deep(depth), "x"));
  expect(isIn(join(work, "lnk", deep(depth), "x"))).toBe(false);
  expect(isIn(join(work, deep(depth), "x"))).toBe(true);
});

test("a link is followed behind 60 folders, too, and one that leads to a place that is not there", () => {
  mkdirSync(join(work, deep(60)), { recursive: true });
  symlinkSync(outside, join(work, deep(60), "out"));
  symlinkSync(join(outside, "not/there"), join(work, deep(60), "dangling"));
  expect(realPath(join(work, deep(60), "out", deep(60)))).toBe(join(outside, deep(60)));
  expect(realPath(join(work, deep(60), "dangling", "x"))).toBe(join(outside, "not/there/x"));
});

test("a link that leads up leads up from where it was led to", () => {
  mkdirSync(join(outside, "sub"));
  symlinkSync(join(outside, "sub"), join(work, "sub"));
  symlinkSync("sub/../fresh.txt", join(work, "up"));
  expect(realPath(join(work, "up"))).toBe(join(outside, "fresh.txt"));
});

test.each([2, 40, 41, 100])("a chain of %i links is followed to its end or lies nowhere", async (count) => {
  const at = (n: number) => join(work, `chain-${count}-${n}`);
  for (let n = 1; n < count; n++) symlinkSync(at(n + 1), at(n));
  symlinkSync(join(outside, "end"), at(count));
  expect(isIn(at(1))).toBe(false);
  expect(isInside("/", realPath(at(1)))).toBe(count <= 40);
  if (count > 40) expect(await writeWhole(at(1), Buffer.from("x"))).toMatchObject({ ok: false, kind: "invalid" });
  expect(existsSync(join(outside, "end"))).toBe(false);
});

test("links that lead in circles lie nowhere, alone and in front of others", async () => {
  symlinkSync("round", join(work, "round"));
  symlinkSync("pong", join(work, "ping"));
  symlinkSync("ping", join(work, "pong"));
  for (const path of ["round", "ping", "ping/x", `round/${deep(60)}/x`].map((name) => join(work, name))) {
    expect(isInside("/", realPath(path))).toBe(false);
    expect(findAny(path)).toMatchObject({ ok: false, kind: "invalid" });
    expect(readWhole(realPath(path))).toMatchObject({ ok: false });
    expect(await writeWhole(path, Buffer.from("x"))).toMatchObject({ ok: false });
    expect(await makeDatabase(path, "CREATE TABLE t (a)", signal)).toMatchObject({ ok: false });
  }
});

test("a name that is too long is refused and hides no link in front of it", async () => {
  const long = "n".repeat(300);
  const far = `${"d".repeat(250)}/`.repeat(20);
  for (const path of [join(work, "lnk", long), join(work, "lnk", far, "x")]) {
    expect(isIn(path)).toBe(false);
    expect(await writeWhole(path, Buffer.from("x"))).toMatchObject({ ok: false });
  }
  expect(isIn(join(work, long))).toBe(true);
  expect(await writeWhole(join(work, long), Buffer.from("x"))).toMatchObject({ ok: false, kind: "invalid" });
});

test("pith in mode write makes no database behind a link, however deep", async () => {
  using own = scratch();
  own.write({ "out/.keep": "", "work/.keep": "" });
  symlinkSync(own.at("out"), own.at("work", "lnk"));
  symlinkSync("loop", own.at("work", "loop"));
  const call = (path: string) => ({ tool: "write", input: { path, content: "CREATE TABLE t (a);" } });
  const calls = [42, 60].map((depth) => call(`lnk/${deep(depth)}/x.db`));
  const model = scripted(own, { calls: [...calls, call(`loop/${deep(60)}/x.db`)] }, { text: "done" });
  const { out } = await pith(own, ["-p", "go", "--approval", "write", ...model]);
  expect(out).toContain("done");
  expect(readdirSync(own.at("out"))).toEqual([".keep"]);
});
