import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { productFiles, root } from "../gate/tree.ts";
import { mutantsOf } from "./mutant.ts";
import { promises, roomOf, testsOfRoom } from "./promise.ts";

test("every room has the files and tests that it names, and every promise has a room", async () => {
  const paths = (await productFiles()).map(({ path }) => path);
  for (const [room, { files, tests }] of Object.entries(promises.rooms)) {
    for (const glob of files)
      expect([room, glob, paths.some((path) => new Bun.Glob(glob).match(path))]).toEqual([room, glob, true]);
    expect([room, tests.filter((path) => !existsSync(join(root, path)))]).toEqual([room, []]);
  }
  expect(Object.keys(promises.rooms)).toEqual(
    expect.arrayContaining(
      "lock record edits undo sandbox secrets trust provenance budgets questions serve compaction sub-agents".split(
        " ",
      ),
    ),
  );
  expect(roomOf("packages/serve/src/guard.ts")).toBe("serve");
  expect(roomOf("packages/kit/src/nearest.ts")).toBeUndefined();
  expect(testsOfRoom("packages/kit/src/nearest.ts")).toEqual([]);
});

test("an excuse says why, is for a change that can still be made, and there are no more than there were", async () => {
  const excused = Object.entries(promises.excused);
  expect(excused.length).toBeLessThanOrEqual(promises.mostExcused);
  const sources = new Map((await productFiles()).map(({ path, text }) => [path, text]));
  for (const [name, reason] of excused) {
    const [path = "", id] = name.split("#");
    const made = mutantsOf(path, sources.get(path) ?? "", Math.random);
    expect([name, reason.length > 20, made.some((mutant) => mutant.id === id)]).toEqual([name, true, true]);
  }
});
