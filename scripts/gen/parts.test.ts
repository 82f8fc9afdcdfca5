import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "../gate/tree.ts";
import { partLists } from "./parts.ts";

const coder = join(root, "packages", "coder", "src");

test("the lists of settings, kinds and tools are what the folders of the parts hold", async () => {
  for (const [name, text] of Object.entries(await partLists()))
    expect([name, await Bun.file(join(coder, name)).text()]).toEqual([name, text]);
});

test("a part declares its kinds of results and its settings where the lists find them", async () => {
  const elsewhere = (pattern: RegExp, file: string) => async (path: string) =>
    !path.endsWith(".test.ts") && !path.endsWith(file) && pattern.test(await Bun.file(join(coder, path)).text());
  const paths = [...new Bun.Glob("**/*.ts").scanSync({ cwd: coder })];
  const found = async (pattern: RegExp, file: string) => {
    const wrong = await Promise.all(paths.map(elsewhere(pattern, file)));
    return paths.filter((_, at) => wrong[at]);
  };
  expect(await found(/^ {2}interface Data\b/m, "/kinds.ts")).toEqual([]);
  expect(await found(/^ {2}interface SettingRows\b/m, "/settings.ts")).toEqual([]);
});
