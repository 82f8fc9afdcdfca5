import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { touch } from "@pith/agent";
import { openReading, sampleFiles } from "../../../test/read.ts";
import { intentOf, runTool } from "../../../test/run.ts";
import { runSwapped } from "../../../test/swap.ts";

const { at, put, reader, call, run } = openReading("read");
/** Something that a project must not lead to unasked. */
const outside = openReading("read-outside");
outside.put("secret.txt", "secret\n");

test("an abort stops a read, and what may not be read says so", async () => {
  const stopped = { ...call, signal: AbortSignal.abort() };
  put("large.txt", "0123456789\n".repeat(500_000));
  const samples = ["pack.tgz", "shop.db", "letter.pdf"].map((name) => join(sampleFiles, name));
  for (const path of ["gone/way.ts", "large.txt", ...samples])
    expect(await runTool(reader, { path }, stopped)).toMatchObject({ failed: true });
  put("secret", "x");
  chmodSync(at("secret"), 0);
  if (process.getuid?.() !== 0)
    expect(await run("secret")).toMatchObject({ failed: true, text: "secret: permission denied" });
});

test("reads run side by side, unless they give conflicts the numbers that a later call uses", () => {
  expect(reader.looks).toBe(true);
  expect(["a.ts", "a.ts:1-5", "skill://x"].map((path) => reader.beside?.({ path }))).toEqual([true, true, true]);
  expect(["a.ts:conflicts", "conflicts"].map((path) => reader.beside?.({ path }))).toEqual([false, true]);
});

test("a read names the file that is really read, whatever it was called", async () => {
  const judged = async (path: string) => (await intentOf(reader, { path })).paths;
  put("pkg/deep/only.ts", "here\n");
  for (const name of ["pack.tgz", "shop.db"]) copyFileSync(join(sampleFiles, name), at(`pkg/${name}`));
  symlinkSync(outside.at("secret.txt"), at("link.txt"));
  symlinkSync(outside.cwd, at("folder"));
  put("home/skills/deploy/SKILL.md", "steps");
  expect(await judged("deep/only.ts")).toEqual([touch("read", at("pkg/deep/only.ts"))]);
  expect(await judged("pkg/pack.tgz:src/a.ts")).toEqual([touch("read", at("pkg/pack.tgz"))]);
  expect(await judged("pkg/shop.db:item?limit=2")).toEqual([touch("read", at("pkg/shop.db"))]);
  expect(await judged("link.txt")).toEqual([{ effect: "read", path: at("link.txt"), real: outside.at("secret.txt") }]);
  expect(await judged("folder")).toMatchObject([{ real: outside.cwd }]);
  expect(await judged("skill://deploy")).toEqual([touch("read", at("home/skills/deploy/SKILL.md"))]);
  expect(await judged("pith://cli")).toEqual([]);
});

test("a path that becomes a link to something else after the verdict is not followed", async () => {
  const pack = join(sampleFiles, "pack.tgz");
  const shop = join(sampleFiles, "shop.db");
  const letter = join(sampleFiles, "letter.pdf");
  copyFileSync(pack, outside.at("other.tgz"));
  copyFileSync(shop, outside.at("other.db"));
  copyFileSync(join(sampleFiles, "report.docx"), outside.at("other.docx"));
  /** A path to read, its content at first, and the file that somebody puts in its place. */
  const swaps: [string, (place: string) => void, string][] = [
    ["plain.txt", () => put("plain.txt", "judged\n"), "secret.txt"],
    ["a.tgz:src/a.ts", (place) => copyFileSync(pack, place), "other.tgz"],
    ["a.db:item", (place) => copyFileSync(shop, place), "other.db"],
    ["a.pdf", (place) => copyFileSync(letter, place), "other.docx"],
    ["dir", (place) => mkdirSync(place), "."],
  ];
  for (const [path, make, other] of swaps) {
    const place = at(path.replace(/:.*/, ""));
    make(place);
    const { looked } = await runSwapped(reader, { path }, () => {
      rmSync(place, { recursive: true });
      symlinkSync(outside.at(other), place);
    });
    expect([path, looked.text]).toEqual([path, "leads elsewhere"]);
  }
});

test("a link that is turned elsewhere after the verdict still shows what was judged", async () => {
  put("inside/a.txt", "judged\n");
  for (const name of ["pack.tgz", "shop.db", "report.docx"]) {
    copyFileSync(join(sampleFiles, name), at(`inside/${name}`));
    outside.put(name, "secret\n");
  }
  outside.put("a.txt", "secret\n");
  const turn = () => {
    rmSync(at("turning"));
    symlinkSync(outside.cwd, at("turning"));
  };
  for (const [path, judged] of [
    ["turning/a.txt", "judged"],
    ["turning/pack.tgz:src/a.ts", "1:one"],
    ["turning/shop.db:item:7", "item 7"],
    ["turning/report.docx", "Test"],
    ["turning", "shop.db"],
  ] as const) {
    rmSync(at("turning"), { force: true });
    symlinkSync(at("inside"), at("turning"));
    const { looked, blind } = await runSwapped(reader, { path }, turn);
    expect(looked.failed).toBe(true);
    expect(blind.text).toContain(judged);
    expect(blind.text).not.toContain("secret");
  }
});

test("a file that takes the place of a missing one after a suffix match does not change what is read", async () => {
  put("far/below/match.ts", "judged\n");
  const { blind, judged } = await runSwapped(reader, { path: "below/match.ts" }, () => {
    mkdirSync(at("below"));
    symlinkSync(outside.at("secret.txt"), at("below/match.ts"));
  });
  expect(judged).toEqual([at("far/below/match.ts")]);
  expect(blind.text).toContain("judged");
});

test("a file in the place of an archive is not read as one, nor the other way round", async () => {
  copyFileSync(join(sampleFiles, "pack.zip"), at("turn.zip"));
  const { looked } = await runSwapped(reader, { path: "turn.zip" }, () => {
    renameSync(at("turn.zip"), at("gone.zip"));
    put("turn.zip", "plain text\n");
  });
  expect(looked.failed).toBe(true);
});
