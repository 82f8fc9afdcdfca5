import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratch } from "@pith/kit/test";
import { need } from "../../../../test/need.ts";
import { GitObjects } from "./objects.ts";

const withGit = test.skipIf(need("git") !== undefined);
let dir: Scratch;
beforeEach(() => {
  dir = scratch();
});
afterEach(() => dir[Symbol.dispose]());
const git = (...argv: string[]): string => {
  const env = { PATH: process.env.PATH ?? "", HOME: dir.path, GIT_CONFIG_NOSYSTEM: "1" };
  const ran = Bun.spawnSync(["git", "-c", "user.name=x", "-c", "user.email=x", ...argv], { cwd: dir.at("p"), env });
  if (ran.exitCode !== 0) throw new Error(ran.stderr.toString());
  return ran.stdout.toString().trim();
};
/** A repository with versions of a file, so that packs hold differences. */
function layOut(): string[] {
  dir.write({ "p/small": "one\n" });
  git("init", "-q");
  for (let n = 0; n < 30; n++) {
    const rows = Array.from({ length: 3000 }, (_, row) => `row ${row} ${row === n * 90 ? "changed" : "same"}\n`);
    dir.write({ "p/large": rows.join("") });
    git("add", "-A");
    git("commit", "-qm", `version ${n}`);
  }
  return git("rev-list", "--objects", "--all")
    .split("\n")
    .map((line) => line.slice(0, 40));
}
const contentOf = (id: string): string => git("cat-file", "blob", id);

withGit("objects are read from files, packs and differences, as git reads them", () => {
  const ids = layOut();
  const objects = join(dir.at("p"), ".git", "objects");
  using loose = new GitObjects([objects]);
  const before = new Map(ids.map((id) => [id, loose.get(id)]));
  git("gc", "-q", "--aggressive");
  expect(readdirSync(join(objects, "pack")).some((name) => name.endsWith(".pack"))).toBe(true);
  using packed = new GitObjects([objects]);
  for (const id of ids) {
    const object = packed.get(id);
    expect(object?.type).toBe(git("cat-file", "-t", id));
    expect(object).toEqual(before.get(id) as NonNullable<typeof object>);
    expect(packed.has(id)).toBe(true);
  }
  expect([packed.get("0".repeat(40)), packed.has("f".repeat(40))]).toEqual([undefined, false]);
});

withGit("what a pack holds can be read after it was removed, and one that came since is found", () => {
  layOut();
  const objects = join(dir.at("p"), ".git", "objects");
  using reader = new GitObjects([objects]);
  const [old, content] = [git("rev-parse", "HEAD:large"), contentOf(git("rev-parse", "HEAD:large"))];
  git("gc", "-q");
  expect(reader.get(old)?.body.toString().trim()).toBe(content);
  rmSync(join(dir.at("p"), ".git"), { recursive: true });
  expect(reader.get(old)?.body.toString().trim()).toBe(content);
});

withGit("the objects of another store that this one names are read too", () => {
  layOut();
  const id = git("rev-parse", "HEAD:small");
  dir.write({ "other/info/alternates": `${join(dir.at("p"), ".git", "objects")}\n` });
  using reader = new GitObjects([dir.at("other")]);
  expect(reader.get(id)?.body.toString()).toBe("one\n");
});

withGit("a damaged object is refused, and a damaged pack is passed over", () => {
  const ids = layOut();
  git("gc", "-q");
  const packs = join(dir.at("p"), ".git", "objects", "pack");
  const pack = readdirSync(packs).find((name) => name.endsWith(".pack")) ?? "";
  const bytes = readFileSync(join(packs, pack));
  for (let at = 40; at < bytes.length - 20; at += 7) bytes[at] = 0x55;
  rmSync(join(packs, pack));
  writeFileSync(join(packs, pack), bytes);
  using reader = new GitObjects([join(packs, "..")]);
  for (const id of ids) expect(() => reader.get(id)).toThrow();
  const index = join(packs, `${pack.slice(0, -5)}.idx`);
  rmSync(index);
  writeFileSync(index, "no index");
  using other = new GitObjects([join(packs, "..")]);
  expect(ids.map((id) => other.get(id))).toEqual(ids.map(() => undefined));
});
