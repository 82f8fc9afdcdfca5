import { expect, test } from "bun:test";
import { lstatSync, renameSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import type { SandboxPlan } from "../plan/plan.ts";
import { SandboxGuard } from "./guard.ts";

const planOf = (root: string, readOnly: readonly string[]): SandboxPlan => ({
  writable: [root],
  layered: [],
  readOnly: [...readOnly],
  replaced: [],
  pinned: [],
  hidden: [],
  scratch: [],
  readable: [],
  tmp: "",
  given: [],
  machineFiles: [],
  watched: [],
  warnings: [],
});

test("a sealed file that is replaced until its number comes back is named all the same", () => {
  using dir = scratch();
  const config = dir.at(".git/config");
  dir.write({ ".git/config": "[core]\n" });
  const { ino } = lstatSync(config);
  const guard = new SandboxGuard(planOf(dir.path, [config]), dir.at("aside"));
  // Two replacements bring it back on ext4; other file systems never reuse one.
  for (let turn = 0; turn === 0 || (turn < 50 && lstatSync(config).ino !== ino); turn++) {
    dir.write({ ".git/config.lock": "[core]\n" });
    renameSync(join(dir.path, ".git/config.lock"), config);
  }
  expect(guard.check("command")).toMatchObject([{ what: "replaced", path: config }]);
  expect(guard.check("command")).toEqual([]);
});
