import { expect, test } from "bun:test";
import type { Arriving, FileChange, Tool } from "@pith/agent";
import type { StreamEvent } from "@pith/llm";
import { arriving } from "./arriving.ts";

const change: FileChange = { path: "a", change: "modified", added: 1, removed: 0, patch: "" };
let clock = 0;
function watch(look: (args: string) => FileChange[]) {
  const shown: Arriving[] = [];
  const tool = { arriving: async (args: string) => look(args) } as unknown as Tool;
  const tools = { get: (name: string) => (name === "edit" ? tool : undefined) };
  const channel = { announce: (event: { type: string } & Arriving) => shown.push(event) };
  const hook = arriving({ tools, clock: { now: () => clock }, channel } as never);
  const feed = async (...events: StreamEvent[]) => {
    hook?.delta?.(events, {} as never);
    await Bun.sleep(0);
  };
  return { shown, feed };
}

test("an edit is shown while it arrives, not with every piece of it, and not twice the same", async () => {
  const looked: string[] = [];
  const { shown, feed } = watch((args) => {
    looked.push(args);
    return [{ ...change, added: args.length }];
  });
  await feed({ type: "call", index: 1, id: "c", name: "edit" }, { type: "args", index: 1, delta: "a" });
  expect(looked).toEqual([]);
  clock += 150;
  await feed({ type: "args", index: 1, delta: "b" });
  await feed({ type: "args", index: 1, delta: "c" });
  clock += 150;
  await feed({ type: "args", index: 1, delta: "" });
  clock += 150;
  await feed({ type: "args", index: 1, delta: "" });
  expect(looked).toEqual(["ab", "abc", "abc"]);
  expect(shown.map(({ id, name, files }) => [id, name, files[0]?.added])).toEqual([
    ["c", "edit", 2],
    ["c", "edit", 3],
  ]);
});

test("a call that is over, and one of another tool, is not shown any more", async () => {
  const { shown, feed } = watch(() => [change]);
  await feed({ type: "call", index: 0, id: "c", name: "bash" }, { type: "args", index: 0, delta: "x" });
  clock += 1000;
  await feed({ type: "args", index: 0, delta: "y" });
  await feed({ type: "call", index: 1, id: "d", name: "edit" });
  clock += 1000;
  await feed({ type: "args", index: 1, delta: "y" }, { type: "stop", reason: "toolUse" });
  expect(shown).toEqual([]);
});
