import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../packages/kit/src/test/index.ts";
import { root } from "../gate/tree.ts";
import { partLists } from "./parts.ts";

const coder = join(root, "packages", "coder", "src");

test("the lists of settings, kinds and tools are what the folders of the parts hold", async () => {
  for (const [name, text] of Object.entries(await partLists()))
    expect([name, await Bun.file(join(coder, name)).text()]).toEqual([name, text]);
});

test("a part that is added is in the lists by its folder alone", async () => {
  using dir = scratch();
  cpSync(join(coder, "test", "die"), dir.at("part/die"), { recursive: true });
  const lists = await partLists(dir.path);
  const rows = Object.values(lists).map((text) => text.split("\n")[1]);
  expect(rows).toEqual([
    'export { settings as die } from "./part/die/settings.ts";',
    'export { kinds as die } from "./part/die/kinds.ts";',
    'export { rollDie } from "./part/die/tool.ts";',
  ]);
});

test("a part declares its kinds of results and its settings where the lists find them", async () => {
  const isTest = (path: string) => path.endsWith(".test.ts") || path.startsWith("test/");
  const elsewhere = (pattern: RegExp, file: string) => async (path: string) =>
    !isTest(path) && !path.endsWith(file) && pattern.test(await Bun.file(join(coder, path)).text());
  const paths = [...new Bun.Glob("**/*.ts").scanSync({ cwd: coder })];
  const found = async (pattern: RegExp, file: string) => {
    const wrong = await Promise.all(paths.map(elsewhere(pattern, file)));
    return paths.filter((_, at) => wrong[at]);
  };
  expect(await found(/^ {2}interface Data\b/m, "/kinds.ts")).toEqual([]);
  expect(await found(/^ {2}interface SettingRows\b/m, "/settings.ts")).toEqual([]);
});
