import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "../gate/tree.ts";
import { partLists } from "./parts.ts";

test("the lists of settings, kinds and tools are what the folders of the parts hold", async () => {
  for (const [name, text] of Object.entries(await partLists()))
    expect([name, await Bun.file(join(root, "packages", "coder", "src", name)).text()]).toEqual([name, text]);
});
