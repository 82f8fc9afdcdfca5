import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { hear } from "../../test/small.ts";

const writes = (count: number) => ({
  calls: Array.from({ length: count }, (_, at) => ({ tool: "write", input: { path: `f${at + 1}`, content: "x\n" } })),
});
const done = { text: "Done. [TASK_COMPLETE]" };

test.each([
  [8, 8, false],
  [9, 9, true],
  [15, 15, true],
  [20, 15, true],
])("of %p calls in one reply %p are run, and a crowd is noted", async (count, ran, noted) => {
  using dir = scratch();
  const { packets, results } = await hear(dir, [writes(count), done]);
  expect(Array.from({ length: count }, (_, at) => existsSync(dir.at(`work/f${at + 1}`))).filter(Boolean)).toHaveLength(
    ran,
  );
  expect(existsSync(dir.at(`work/f${ran}`))).toBe(true);
  expect(results).toHaveLength(count);
  expect(results.filter((text) => text.includes("Not run: one reply may have 15 calls"))).toHaveLength(count - ran);
  expect(packets[0]?.includes(`${count} calls in one reply are too many`)).toBe(noted);
});
