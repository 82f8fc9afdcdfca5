// A repository can hold links to anywhere, and what has an address is read without a question: no address may lead out.
import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const secret = "the words of somebody else";

/** A project with one link in it, to the folder of the secret or to something below it. */
function linked(from: string, below = ""): Scratch {
  const dir = scratch();
  const files = ["x.md", "skills/x/SKILL.md", "rules/x.md", "x/SKILL.md"];
  dir.write(Object.fromEntries(files.map((file) => [`secrets/${file}`, secret])));
  mkdirSync(dirname(dir.at("work", from)), { recursive: true });
  symlinkSync(dir.at("secrets", below), dir.at("work", from));
  return dir;
}

const ways: [from: string, below: string, address: string][] = [
  [".pith", "", "skill://x"],
  [".pith", "", "rule://x"],
  [".pith/skills", "", "skill://x"],
  [".pith/skills", "", "skill://x/../x.md"],
  [".pith/skills/x", "x", "skill://x"],
  [".pith/skills/x", "", "skill://x/x.md"],
  [".pith/skills/x/SKILL.md", "x.md", "skill://x"],
  [".pith/rules", "", "rule://x"],
  [".pith/rules/x.md", "x.md", "rule://x"],
];

test.each(ways)("a link at %s leads nowhere: to %p by %s", async (from, below, address) => {
  using dir = linked(from, below);
  for (const call of [
    ["read", { path: address }],
    ["search", { pattern: "words", paths: address }],
  ] as const) {
    const ended = await pith(dir, ["tool", call[0], JSON.stringify(call[1])]);
    expect(ended.out + ended.err).not.toContain(secret);
    expect(ended.out + ended.err).toContain("not found");
  }
});

test("a link from one place of the project to another is followed", async () => {
  using dir = scratch();
  dir.write({ "work/docs/house/SKILL.md": "how we work", "work/.pith/.keep": "" });
  symlinkSync("../docs", dir.at("work", ".pith", "skills"));
  const ended = await pith(dir, ["tool", "read", JSON.stringify({ path: "skill://house" })]);
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("how we work") });
});

test("the memory and the skills of the user may not lead out of pith's own folder", async () => {
  using dir = linked("unused");
  mkdirSync(dir.at("home", ".pith"), { recursive: true });
  for (const name of ["memory", "skills", "rules"]) symlinkSync(dir.at("secrets"), dir.at("home", ".pith", name));
  for (const path of ["memory://x.md", "skill://x", "rule://x"]) {
    const { out, err } = await pith(dir, ["tool", "read", JSON.stringify({ path })]);
    expect(`${path} ${out}${err}`).not.toContain(secret);
  }
});
