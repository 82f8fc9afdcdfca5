import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Conflicts } from "./conflicts.ts";
import { findRegions } from "./marker.ts";

const dir = mkdtempSync(join(tmpdir(), "pith-conflicts-"));
afterAll(() => rmSync(dir, { recursive: true }));

const merged =
  "a\n<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> topic\nb\n<<<<<<< HEAD\n=======\nx\n>>>>>>> topic\n";

test("a conflict keeps its number, also for a session that is opened again", async () => {
  const first = new Conflicts(() => join(dir, "c"));
  expect(first.record("/a", findRegions(merged)).map(({ id }) => id)).toEqual([1, 2]);
  const second = new Conflicts(() => join(dir, "c"));
  expect(second.record("/a", findRegions(merged).slice(1)).map(({ id }) => id)).toEqual([2]);
  expect(second.find("1")?.region.ours.text).toBe("ours\n");
  const twins = new Conflicts().record(
    "/a",
    findRegions(`${merged.slice(merged.lastIndexOf("<<<<<<< "))}${merged.slice(merged.lastIndexOf("<<<<<<< "))}`),
  );
  expect(twins.map(({ id }) => id)).toEqual([1, 2]);
});
