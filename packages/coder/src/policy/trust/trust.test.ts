import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { type Scratch, scratch } from "@pith/kit/test";
import { pin, unpin } from "./pin.ts";
import { openTrust } from "./trust.ts";

const item = (folder: string, kind = "settings") => ({ kind, folder, name: ".pith/config.yml" });

function project(dir: Scratch) {
  const [home, work] = [dir.at("home"), dir.at("work")];
  mkdirSync(work, { recursive: true });
  return { home, work, yes: (text: string) => pin(home, [work], [{ ...item(work), text }]) };
}

const stands = (home: string, folder: string, text: string, kind?: string) =>
  openTrust({ home }).ask(item(folder, kind), text);

test("nobody has trusted anything at first, and no file is made by asking", () => {
  using dir = scratch();
  const { home, work } = project(dir);
  expect(stands(home, work, "a")).toEqual({ is: "untrusted" });
  expect(statSync(home, { throwIfNoEntry: false })).toBeUndefined();
});

test("a yes holds for these bytes; one byte more and it says what was trusted", async () => {
  using dir = scratch();
  const { home, work, yes } = project(dir);
  expect(await yes("model: a\n")).toMatchObject({ ok: true });
  expect(stands(home, work, "model: a\n")).toEqual({ is: "trusted" });
  expect(stands(home, work, "model: b\n")).toEqual({ is: "changed", before: "model: a\n" });
  rmSync(dir.at("home", "trust"), { recursive: true });
  expect(stands(home, work, "model: b\n")).toEqual({ is: "changed", before: undefined });
});

test("a yes holds in this folder alone: not below, above or beside it, nor by another spelling of it", async () => {
  using dir = scratch();
  const { home, work, yes } = project(dir);
  mkdirSync(dir.at("work", "sub"));
  mkdirSync(dir.at("Work"));
  mkdirSync(dir.at("we\u0301rk"));
  await yes("x");
  for (const other of [dir.path, dir.at("work", "sub"), dir.at("Work"), dir.at("we\u0301rk"), dir.at("work2")])
    expect([other, stands(home, other, "x").is]).toEqual([other, "untrusted"]);
  // The same folder by a link is the same folder; a link that was trusted does not take its yes elsewhere.
  symlinkSync(work, dir.at("link"));
  expect(stands(home, dir.at("link"), "x").is).toBe("trusted");
  rmSync(dir.at("link"));
  mkdirSync(dir.at("evil"));
  symlinkSync(dir.at("evil"), dir.at("link"));
  expect(stands(home, dir.at("link"), "x").is).toBe("untrusted");
});

test("bytes that were trusted as settings are not trusted as a hook", async () => {
  using dir = scratch();
  const { home, work, yes } = project(dir);
  await yes("x");
  expect(stands(home, work, "x", "hook").is).toBe("untrusted");
});

test("a yes that was taken back is gone, and trusting anew forgets what is no longer there", async () => {
  using dir = scratch();
  const { home, work, yes } = project(dir);
  await yes("x");
  expect(await unpin(home, [work])).toEqual({ ok: true, value: 1 });
  expect(stands(home, work, "x").is).toBe("untrusted");
  await yes("x");
  await pin(home, [work], []);
  expect(stands(home, work, "x").is).toBe("untrusted");
});

const broken: [string, (file: string) => void, string][] = [
  ["no JSON", (file) => writeFileSync(file, "{"), "is not JSON"],
  ["another version", (file) => writeFileSync(file, '{"version":2,"folders":{}}'), "does not hold"],
  ["a folder without a path", (file) => writeFileSync(file, '{"version":1,"folders":{"x":{}}}'), "does not hold"],
  ["a hash that is none", (file) => writeFileSync(file, '{"version":1,"folders":{"/x":{"a":"y"}}}'), "does not hold"],
  ["a file that all may write", (file) => chmodSync(file, 0o666), "may be written by others"],
  ["a directory", (file) => [rmSync(file), mkdirSync(file)], "is not a file"],
];

test.each(broken)(
  "%s in the place of the trust file is named, trusts nothing and is left alone",
  async (_, harm, why) => {
    using dir = scratch();
    const { home, work, yes } = project(dir);
    await yes("x");
    harm(dir.at("home", "trust.json"));
    const trust = openTrust({ home });
    expect(trust.problem).toBeUndefined();
    expect(trust.ask(item(work), "x")).toEqual({ is: "untrusted" });
    expect(trust.problem).toContain(`${dir.at("home", "trust.json")} ${why}`);
    expect(await yes("x")).toMatchObject({ ok: false, message: expect.stringContaining(why) });
  },
);

test("the trust file is for the user alone, and two who trust at once both succeed", async () => {
  using dir = scratch();
  const { home } = project(dir);
  const folders = Array.from({ length: 10 }, (_, at) => dir.at(`p${at}`));
  for (const folder of folders) mkdirSync(folder);
  const done = await Promise.all(folders.map((folder) => pin(home, [folder], [{ ...item(folder), text: folder }])));
  expect(done.every(({ ok }) => ok)).toBe(true);
  for (const folder of folders) expect(stands(home, folder, folder).is).toBe("trusted");
  expect(statSync(dir.at("home", "trust.json")).mode & 0o777).toBe(0o600);
  expect(Object.keys(JSON.parse(readFileSync(dir.at("home", "trust.json"), "utf8")).folders)).toHaveLength(10);
});

test("a yes for one run covers everything and writes nothing", () => {
  using dir = scratch();
  const { home, work } = project(dir);
  expect(openTrust({ home, run: "everything" }).ask(item(work), "x")).toEqual({ is: "trusted" });
  expect(statSync(home, { throwIfNoEntry: false })).toBeUndefined();
});

test("bytes that somebody put in the place of those that were trusted are not shown as them", async () => {
  using dir = scratch();
  const { home, work, yes } = project(dir);
  await yes("model: a\n");
  const [hash = ""] = readdirSync(dir.at("home", "trust"));
  expect(readFileSync(dir.at("home", "trust", hash), "utf8")).toBe("model: a\n");
  writeFileSync(dir.at("home", "trust", hash), "model: b\n");
  expect(stands(home, work, "model: b\n")).toEqual({ is: "changed", before: undefined });
  expect(stands(home, work, "model: a\n")).toEqual({ is: "trusted" });
});
