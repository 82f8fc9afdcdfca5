import { expect, test } from "bun:test";
import { memoryStorage, type Storage, schema as s, type Tool } from "@pith/agent";
import type { Message, StreamEvent } from "@pith/llm";
import { runTool } from "../../test/run.ts";
import { clock, converse, says } from "../../test/scripted.ts";
import { checkpoint } from "./checkpoint.ts";
import { sessionCheckpoints } from "./checkpoints.ts";
import { rewindGuard } from "./rewind.ts";
import { rewind } from "./tool.ts";

const calls = (...list: [name: string, input: object][]): StreamEvent[] => [
  ...list.flatMap(([name, input], index): StreamEvent[] => [
    { type: "call", index, id: `${name}-${index}-${JSON.stringify(input).length}`, name },
    { type: "args", index, delta: JSON.stringify(input) },
  ]),
  { type: "stop", reason: "toolUse" },
];
const textOf = ({ content }: Message) =>
  typeof content === "string"
    ? content
    : content
        .map((part) => ("text" in part ? part.text : part.type === "toolCall" ? `call ${part.name}` : ""))
        .join("");

/** A conversation over a list of replies, and what each request held. */
function talk(replies: StreamEvent[][], storage: Storage = memoryStorage(), onCall: () => void = () => {}) {
  const look: Tool<{ at: string }> = {
    name: "look",
    about: "",
    input: s.object({ at: s.string() }),
    prepare: ({ at }) => ({
      effect: "read",
      paths: [],
      run: async () => {
        onCall();
        return { kind: "prose", data: {}, text: `saw ${at}` };
      },
    }),
  };
  const requests: string[][] = [];
  let checkpoints = undefined as ReturnType<typeof sessionCheckpoints> | undefined;
  const made = converse(
    async function* (request) {
      requests.push(request.messages.map(textOf));
      yield replies[requests.length - 1] ?? says("(the script is over)");
    },
    ({ tree }, channel) => {
      checkpoints = sessionCheckpoints(tree, (draft) => channel.record(draft));
      return {
        hooks: [rewindGuard(checkpoints)],
        tools: [look, checkpoint({ checkpoints, clock }), rewind(checkpoints)],
      };
    },
    storage,
  );
  return { ...made, requests, active: () => checkpoints?.active() };
}

const created = "The checkpoint is set, to find out: find it\nLook around, then end it with rewind and your report.";
const explore = [
  calls(["checkpoint", { goal: "find it" }]),
  calls(["look", { at: "a" }]),
  calls(["look", { at: "b" }]),
];

test("after a rewind the model sees the report and nothing of the exploration", async () => {
  const session = talk([...explore, calls(["rewind", { report: "it is in b" }]), says("done")]);
  await session.conversation.send({ text: "where is it?" });
  const last = session.requests.at(-1) ?? [];
  expect(last.slice(0, 3)).toEqual(["where is it?", "call checkpoint", created]);
  expect(last.length).toBe(4);
  expect(last[3]).toContain("it is in b");
  expect(session.requests[3]?.join()).toContain("saw b");
  expect(session.active()).toBeUndefined();
  // What was left behind is still in the record.
  expect([...session.journal.tree.all()].filter((entry) => entry.type === "message").length).toBe(10);
});

test("calls beside the checkpoint keep their answers", async () => {
  const session = talk([
    calls(["checkpoint", { goal: "find it" }], ["look", { at: "a" }]),
    calls(["look", { at: "b" }]),
    calls(["rewind", { report: "r" }]),
    says("done"),
  ]);
  await session.conversation.send({ text: "go" });
  expect(session.requests.at(-1)?.slice(0, 4)).toEqual(["go", "call checkpointcall look", created, "saw a"]);
  expect(session.requests.at(-1)?.length).toBe(5);
});

test("a second checkpoint, and a rewind without one, are refused", async () => {
  const session = talk([
    calls(["rewind", { report: "r" }]),
    explore[0] ?? [],
    calls(["checkpoint", { goal: "again" }]),
    calls(["rewind", { report: "r" }]),
    calls(["rewind", { report: "r" }]),
    says("done"),
  ]);
  await session.conversation.send({ text: "go" });
  expect(session.requests[1]?.at(-1)).toBe("There is no open checkpoint to go back to.");
  expect(session.requests[3]?.at(-1)).toBe("There is an open checkpoint; end it with rewind first.");
  expect(session.requests[5]?.at(-1)).toBe("There is no open checkpoint to go back to.");
});

test("a model that stops before the rewind is asked to go on, three times", async () => {
  const session = talk([explore[0] ?? [], says("I stop"), calls(["rewind", { report: "r" }]), says("done")]);
  await session.conversation.send({ text: "go" });
  expect(session.requests[2]?.at(-1)).toMatch(/^<system-warning>\n.*"find it".*MUST call rewind/);
  expect(session.requests.length).toBe(4);
  const stubborn = talk([explore[0] ?? [], ...Array.from({ length: 9 }, () => says("no"))]);
  await stubborn.conversation.send({ text: "go" });
  expect(stubborn.requests.length).toBe(5);
});

test("an open checkpoint survives the end of the program", async () => {
  const first = talk(explore);
  first.channel.subscribe((event) => {
    if (event.type === "turn" && event.state.name === "asking" && event.state.step === 4)
      void first.conversation.interrupt("killed");
  });
  await first.conversation.send({ text: "where?" });
  const second = talk([calls(["rewind", { report: "it was b" }]), says("done")], first.storage);
  expect(second.active()).toEqual({ goal: "find it", startedAt: new Date(clock.now()).toISOString() });
  await second.conversation.send({ text: "go on" });
  const last = second.requests.at(-1) ?? [];
  expect(last.slice(0, 3)).toEqual(["where?", "call checkpoint", created]);
  expect(last[3]).toBe("go on");
  expect(last[4]).toContain("it was b");
  expect(last.length).toBe(5);
});

test("input during the exploration is not lost with it", async () => {
  const session = talk([...explore, calls(["rewind", { report: "r" }]), says("done")], memoryStorage(), () => {
    if (session.requests.length === 2) void session.conversation.send({ text: "and tell me its size" }, "steer");
  });
  await session.conversation.send({ text: "where?" });
  const last = session.requests.at(-1) ?? [];
  expect(last[3]).toBe("and tell me its size");
  expect(last[4]).toContain("<summary>");
  expect(last.join()).not.toContain("saw");
});

test("an end of the program between the rewind and its effect does not lose the next input", async () => {
  const first = talk([...explore, calls(["rewind", { report: "it was b" }])]);
  first.channel.subscribe((event) => {
    if (
      event.type === "entry" &&
      event.entry.type === "message" &&
      event.entry.message.role === "toolResult" &&
      event.entry.message.toolName === "rewind"
    )
      void first.conversation.interrupt("killed");
  });
  await first.conversation.send({ text: "where?" });
  const second = talk([says("done")], first.storage);
  await second.conversation.send({ text: "and now?" });
  const last = second.requests.at(-1) ?? [];
  expect(last.join()).not.toContain("saw");
  expect(last.at(-1)).toBe("and now?");
  expect(last.some((text) => text.includes("it was b"))).toBe(true);
});

test("input while the model rewinds stays", async () => {
  const session = talk(
    [...explore, calls(["rewind", { report: "r" }], ["look", { at: "c" }]), says("done")],
    memoryStorage(),
    () => {
      if (session.requests.length === 4) void session.conversation.send({ text: "faster!" }, "steer");
    },
  );
  await session.conversation.send({ text: "where?" });
  const last = session.requests.at(-1) ?? [];
  expect(last.at(-1)).toBe("faster!");
  expect(last.join()).not.toContain("saw");
});

test("a sub-agent has no checkpoints", async () => {
  const call = { id: "1", signal: new AbortController().signal, progress() {} };
  expect(await runTool(checkpoint({ checkpoints: undefined, clock }), { goal: "x" }, call)).toMatchObject({
    failed: true,
    text: "Only the main conversation has checkpoints.",
  });
  expect(await runTool(rewind(undefined), { report: "x" }, call)).toMatchObject({
    failed: true,
    text: "There is no open checkpoint to go back to.",
  });
});

test("a rewind over a compaction keeps the state of things outside of the conversation", async () => {
  const session = talk([...explore, calls(["rewind", { report: "it is in b" }]), says("done")], memoryStorage(), () => {
    if (session.requests.length !== 3) return;
    const own = (customType: string, data: unknown) => ({ type: "custom", customType, data }) as const;
    const { channel, journal } = session;
    channel.record(own("pith.heal", { rules: true, blocks: [] }));
    channel.record(own("pith.jobs", { count: 3, open: [] }));
    const open = journal.tree.lastCustom("pith.checkpoint");
    channel.recordAll([
      { ...own("pith.checkpoint", open?.data), repeats: open?.id },
      { type: "compaction", summary: "all of it", firstKeptEntryId: "none", tokensBefore: 9 },
    ]);
  });
  await session.conversation.send({ text: "where is it?" });
  const last = session.requests.at(-1) ?? [];
  expect(last.slice(0, 3)).toEqual(["where is it?", "call checkpoint", created]);
  expect(last.join()).not.toContain("all of it");
  expect(last.at(-1)).toContain("it is in b");
  const { tree } = session.journal;
  expect(tree.lastCustom("pith.jobs")?.data).toEqual({ count: 3, open: [] });
  expect(tree.lastCustom("pith.heal")?.data).toEqual({ rules: true, blocks: [] });
});

test("after a rewind over a compaction, jobs and blocks that a server refused are still known", async () => {
  const session = talk([...explore, calls(["rewind", { report: "it is in b" }]), says("done")], memoryStorage(), () => {
    if (session.requests.length !== 3) return;
    const { tree } = session.journal;
    const open = tree.lastCustom("pith.checkpoint");
    session.channel.recordAll([
      { type: "custom", customType: "pith.jobs", data: { count: 7, open: [] } },
      { type: "custom", customType: "pith.heal", data: { rules: true, blocks: [] } },
      { type: "custom", customType: "pith.checkpoint", data: open?.data, repeats: open?.id ?? "" },
      { type: "compaction", summary: "looked at a", firstKeptEntryId: tree.leaf ?? "", tokensBefore: 9 },
    ]);
  });
  await session.conversation.send({ text: "where is it?" });
  const last = session.requests.at(-1) ?? [];
  expect(last.slice(0, 3)).toEqual(["where is it?", "call checkpoint", created]);
  expect(last[3]).toContain("it is in b");
  expect(session.journal.tree.lastCustom("pith.jobs")?.data).toMatchObject({ count: 7 });
  expect(session.journal.tree.lastCustom("pith.heal")?.data).toMatchObject({ rules: true });
});
