import { expect, test } from "bun:test";
import { sourceFiles } from "./tree.ts";

test("the checks look at the sources of packages, tests and scripts", async () => {
  const paths = (await sourceFiles()).map((it) => it.path);
  expect(paths).toContain("packages/kit/src/index.ts");
  expect(paths).toContain("scripts/gate/gate.mjs");
  expect(paths).toContain("scripts/gate/tree.test.ts");
  expect(paths).toContain("test/need.ts");
});
