// A configuration file of a repository is whatever its author put there.
import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const ask = (dir: Scratch) => pith(dir, ["-p", "hi", "--model", "faux/echo"]);

const nests: [string, string][] = [
  ["brackets", "[".repeat(100_000)],
  ["closed brackets", `model: ${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ["braces", "{a: ".repeat(100_000)],
  ["lists in lists", "- ".repeat(100_000)],
  ["keys of keys", "? ".repeat(100_000)],
];

test.each(nests)("100,000 nested %s in a configuration are told with the file, in no time", async (_, text) => {
  using dir = scratch();
  dir.write({ "work/.pith/config.yml": text });
  const ended = await ask(dir);
  // A project's file is told and ignored, however strange it is.
  expect(ended.code).toBe(0);
  expect(ended.err).toContain(`${dir.at("work", ".pith", "config.yml")}: is nested too deeply`);
  expect(ended.err).not.toContain("internal error");
});

test("very many settings that nobody knows are counted, and hold nobody up", async () => {
  using dir = scratch();
  const unknown = Array.from({ length: 60_000 }, (_, at) => `k${at}: 1\n`).join("");
  dir.write({ "work/.pith/config.yml": `${unknown}${"x".repeat(300_000)}: 1\n` });
  const began = performance.now();
  const { code, out, err } = await ask(dir);
  expect({ code, out }).toEqual({ code: 0, out: "hi\n" });
  expect(err).toContain("59981 more unknown settings");
  expect(err.length).toBeLessThan(10_000);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test("100,000 nested brackets in models.yml are told with the file", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/models.yml": `providers: ${"[".repeat(100_000)}` });
  const { code, err } = await pith(dir, ["-p", "hi", "--model", "openai/x"]);
  expect(code).not.toBe(0);
  expect(err).toContain(`${dir.at("home", ".pith", "models.yml")}: is nested too deeply`);
});

test.each(["models.yml", "config.yml"])(
  "a pipe or a device in the place of the user's %s is told at once",
  async (name) => {
    for (const put of [
      (path: string) => void Bun.spawnSync(["mkfifo", path]),
      (path: string) => symlinkSync("/dev/zero", path),
    ]) {
      using dir = scratch();
      mkdirSync(dir.at("home", ".pith"), { recursive: true });
      put(dir.at("home", ".pith", name));
      const { code, err } = await pith(dir, ["-p", "hi", "--model", "openai/x"]);
      expect(code).not.toBe(0);
      expect(err).toContain(`${name}: is not a file`);
    }
  },
);

test("a pipe in the place of the stored keys is told at once", async () => {
  using dir = scratch();
  mkdirSync(dir.at("home", ".pith"), { recursive: true });
  Bun.spawnSync(["mkfifo", dir.at("home", ".pith", "agent.db")]);
  const { code, err } = await pith(dir, ["-p", "hi", "--model", "openai/x"]);
  expect(code).not.toBe(0);
  expect(err).toContain("agent.db): it is not a file");
});

test("a project's configuration that is a link out of the project sets nothing and is told", async () => {
  using dir = scratch();
  dir.write({ "elsewhere.yml": "thinking: high\n", "work/.pith/.keep": "" });
  symlinkSync("../../elsewhere.yml", dir.at("work", ".pith", "config.yml"));
  const shown = await pith(dir, ["config", "get", "thinking"]);
  expect(shown.out).not.toContain("high");
  expect((await ask(dir)).err).toContain("ignored: it leads out of");
});

test("the user's own configuration may be kept elsewhere, behind a link", async () => {
  using dir = scratch();
  dir.write({ "dotfiles/pith.yml": "thinking: high\n", "home/.pith/.keep": "" });
  symlinkSync(dir.at("dotfiles", "pith.yml"), dir.at("home", ".pith", "config.yml"));
  expect((await pith(dir, ["config", "get", "thinking"])).out).toContain("high");
});
