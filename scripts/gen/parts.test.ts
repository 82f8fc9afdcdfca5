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
  expect(Object.values(lists)).toEqual([
    expect.stringContaining('import { settings as die } from "./part/die/settings.ts";'),
    expect.stringContaining('import { kinds as die } from "./part/die/kinds.ts";'),
    expect.stringContaining('export { rollDie } from "./part/die/tool.ts";'),
  ]);
});
