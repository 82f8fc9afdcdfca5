import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { call, hear, packetsIn, smallTalk } from "../../test/small.ts";

const read = (path: string) => call("read", { path });
const done = { text: "Done. [TASK_COMPLETE]" };
const memoryOf = (packet: string | undefined) => /<session_memory>(.*)<\/session_memory>/.exec(packet ?? "")?.[1];

test("after every step the model gets a packet, behind all earlier messages", async () => {
  using dir = scratch();
  dir.write({ "work/a": "1\n" });
  const turns = [read("a"), call("write", { path: "b", content: "2\n" }), done];
  const { coder, requests } = await smallTalk(dir, turns);
  await coder.send({ text: "please do it" });
  const packets = packetsIn(coder.path());
  await coder.close();
  expect(packets).toHaveLength(2);
  expect(packets[0]).toContain('"iteration":1,"maxIterations":50,"remainingIterations":49,"filesChanged":0');
  expect(packets[1]).toContain('"iteration":2,"maxIterations":50,"remainingIterations":48,"filesChanged":1');
  for (const packet of packets) expect(packet).toContain("## Task Reference\nplease do it\n");
  const said = requests.map(({ messages }) => messages.map((message) => JSON.stringify(message)));
  for (const [at, before] of said.slice(0, -1).entries()) expect(said[at + 1]?.slice(0, before.length)).toEqual(before);
  expect(said.slice(1).every((messages) => messages.at(-1)?.includes("agent_control"))).toBe(true);
});

test("after a failed check the packet asks for fixes", async () => {
  using dir = scratch();
  const turns = [
    call("write", { path: "a", content: "x\n" }),
    done,
    call("write", { path: "ok", content: "x\n" }),
    done,
  ];
  const { packets } = await hear(dir, turns, { set: { "verify.command": "test -e ok" } });
  expect(packets.map((packet) => /"state":"(\w+)"/.exec(packet)?.[1])).toEqual([
    "need_tools",
    "need_fixes",
    "need_tools",
  ]);
  expect(packets[1]).toContain("What is wrong stands above");
});

test("a request that is tried again has one packet, and an answer that was cut off goes on without one", async () => {
  using dir = scratch();
  dir.write({ "work/a": "1\n" });
  const failed = { error: { kind: "server", message: "busy" } };
  const cut = { text: "Half of", stop: "length" };
  const { packets } = await hear(dir, [read("a"), failed, failed, cut, done]);
  expect(packets).toHaveLength(1);
});

test("facts of the memory are told once, and again after a compaction", async () => {
  using dir = scratch();
  dir.write({ "work/a": "1\n", "work/b": "2\n" });
  const turns = [read("a"), read("b"), call("find", { pattern: "*" }), done, call("find", { pattern: "b" }), done];
  const { coder, hall } = await smallTalk(dir, turns);
  await coder.send({ text: "please do it" });
  const [first, second, third] = packetsIn(coder.path());
  expect(memoryOf(first)).toContain("read a");
  expect(memoryOf(second)).toMatch(/^2 files read; read b/);
  expect(memoryOf(second)).not.toContain("read a");
  expect(memoryOf(third)).toBeUndefined();
  const firstKeptEntryId = hall.tree.leaf ?? "";
  hall.channel.record({ type: "compaction", summary: "Two files were read.", firstKeptEntryId, tokensBefore: 100 });
  await coder.send({ text: "go on" });
  expect(memoryOf(packetsIn(coder.path())[3])).toBe("2 files read; read b; read a");
  await coder.close();
});
