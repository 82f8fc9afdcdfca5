import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { call, hear } from "../../test/small.ts";

const read = call("read", { path: "a" });
const done = { text: "Done. [TASK_COMPLETE]" };
const marks = (results: readonly string[]) =>
  results.map((text) => (text.startsWith("Already executed") ? "again" : "ran"));

test.each([
  ["in the next step", [read, read], "ran again"],
  ["two steps later", [read, call("find", { pattern: "*" }), read], "ran ran again"],
  ["of one reply", [{ calls: [...read.calls, ...read.calls] }], "ran again"],
  [
    "four steps later",
    [read, ...["1", "2", "3"].map((of) => call("find", { pattern: `*${of}` })), read],
    "ran ran ran ran ran",
  ],
  ["behind a write", [read, call("write", { path: "b", content: "1\n" }), read], "ran ran ran"],
  [
    "behind a write of the same reply",
    [read, { calls: [call("write", { path: "b", content: "1\n" }), read].flatMap(({ calls }) => calls) }],
    "ran ran ran",
  ],
  ["behind a command", [read, call("bash", { command: "true" }), read], "ran ran ran"],
  ["that failed", [call("read", { path: "gone" }), call("read", { path: "gone" })], "ran ran"],
  ["of a command", [call("bash", { command: "true" }), call("bash", { command: "true" })], "ran ran"],
])("a read that is repeated %s is answered as it should be", async (_, turns, wanted) => {
  using dir = scratch();
  dir.write({ "work/a": "x\n" });
  expect(marks((await hear(dir, [...turns, done])).results).join(" ")).toBe(wanted);
});

test("a model that only repeats answered calls is told to do something else", async () => {
  using dir = scratch();
  dir.write({ "work/a": "x\n" });
  const { packets } = await hear(dir, [read, read, done]);
  expect(packets[0]).not.toContain("were made before");
  expect(packets[1]).toContain("All of these calls were made before.");
});

test("a larger model reads as often as it likes", async () => {
  using dir = scratch();
  dir.write({ "work/a": "x\n" });
  const { results, packets } = await hear(dir, [read, read, { text: "Done." }], { set: { profile: "default" } });
  expect([marks(results), packets]).toEqual([["ran", "ran"], []]);
});

const writes = (count: number) => ({
  calls: Array.from({ length: count }, (_, at) => ({ tool: "write", input: { path: `f${at + 1}`, content: "x\n" } })),
});

test.each([
  [8, 8, false],
  [9, 9, true],
  [15, 15, true],
  [20, 15, true],
])("of %p calls in one reply %p are run, and too many are noted", async (count, ran, noted) => {
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
