import { expect, test } from "bun:test";
import { calls, says, scripted } from "../test/scripted.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import { memoryStorage } from "./store/storage.ts";

const parts = (text?: string) => ({
  storage: memoryStorage(text),
  clock: { now: () => 1_700_000_000_000 },
  onFault: () => {},
});

const open = (recording: JournalOptions) => {
  const opened = Journal.open(recording);
  return opened.ok ? opened.value : undefined;
};

async function recorded(): Promise<string> {
  const live = scripted([says("one"), says("two")]);
  await live.conversation.send({ text: "first" });
  await live.conversation.send({ text: "second" });
  return live.storage.read()?.toString() ?? "";
}

test("nothing is written before there is something to keep, then the header comes first", async () => {
  const live = scripted([says("one")]);
  expect(live.storage.read()).toBeUndefined();
  await live.conversation.send({ text: "first" });
  const [header, ...entries] = (live.storage.read()?.toString() ?? "")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(header).toMatchObject({ type: "session", version: 3, cwd: "/project" });
  expect(entries.map((entry) => entry.parentId)).toEqual([null, entries[0].id]);
  expect(entries[0].message).toEqual({
    role: "user",
    content: [{ type: "text", text: "first" }],
    timestamp: 1_700_000_000_000,
  });
});

test("a session cut at any byte opens with every entry before the cut and can be written on", async () => {
  const text = await recorded();
  const bytes = Buffer.from(text);
  for (let cut = text.indexOf("\n") + 1; cut <= bytes.length; cut++) {
    const whole = bytes.subarray(0, cut).toString().split("\n").slice(0, -1).length - 1;
    const recording = { ...parts(), storage: memoryStorage(bytes.subarray(0, cut).toString()) };
    const opened = open(recording);
    expect(opened?.journal.tree.size).toBeGreaterThanOrEqual(whole);
    opened?.journal.append({ type: "session_info", name: "after" });
    const again = open({ ...recording });
    expect(again?.notes).toEqual([]);
    expect(again?.journal.tree.size).toBe(opened?.journal.tree.size ?? 0);
  }
});

test("a damaged line in the middle costs only itself", async () => {
  const lines = (await recorded()).trim().split("\n");
  lines[2] = lines[2]?.slice(0, 40) ?? "";
  const opened = open(parts(`${lines.join("\n")}\n`));
  expect(opened?.journal.tree.pathTo().length).toBe(3);
  expect(opened?.notes.length).toBe(2);
});

test("an entry of a type we do not know is kept", async () => {
  const odd = {
    type: "from_the_future",
    id: "f0000000",
    parentId: null,
    timestamp: "2026-01-01T00:00:00.000Z",
    what: 1,
  };
  const text = `${await recorded()}${JSON.stringify(odd)}\n`;
  const opened = open(parts(text));
  expect(opened?.journal.tree.get("f0000000")).toMatchObject({ what: 1 });
});

test("calls that a crash left open are answered before the next prompt is sent", async () => {
  const first = scripted([calls({ name: "x", input: {}, id: "lost" })]);
  const half = first.conversation.send({ text: "go" });
  await half;
  const text = first.storage.read()?.toString() ?? "";
  const upToCall = text.split("\n").slice(0, 3).join("\n");
  const again = scripted([says("fine")], { storage: memoryStorage(`${upToCall}\n`) });
  await again.conversation.send({ text: "go on" });
  expect(again.requests[0]?.messages.map((message) => message.role)).toEqual([
    "user",
    "assistant",
    "toolResult",
    "user",
  ]);
  expect(again.results()[0]).toContain("There is no result of this call");
});

test("a session that was killed while it asked answers the call before it goes on", async () => {
  const first = scripted([calls({ name: "x", input: {}, id: "lost" })]);
  await first.conversation.send({ text: "go" });
  const upToCall = (first.storage.read()?.toString() ?? "").split("\n").slice(0, 3).join("\n");
  const storage = memoryStorage(`${upToCall}\n`);
  open({ ...parts(), storage })?.journal.append({ type: "custom", customType: "pith.question", data: { id: "lost" } });
  const again = scripted([says("fine")], { storage });
  await again.conversation.send({ text: "go on" });
  expect(again.entries().map((entry) => (entry.type === "message" ? entry.message.role : entry.type))).toEqual([
    "user",
    "assistant",
    "custom",
    "toolResult",
    "user",
    "assistant",
  ]);
  expect(again.results()).toEqual([expect.stringContaining("There is no result of this call")]);
});

test("a queued message that was not delivered returns to the queue after a crash", async () => {
  const first = scripted([says("one")]);
  await first.conversation.send({ text: "first" });
  first.journal.append({ type: "custom", customType: "pith.inbox", data: { when: "after", text: "still to do" } });
  const again = scripted([says("two"), says("three")], { storage: first.storage });
  expect(again.events).toMatchObject([{ type: "queue", waiting: [{ when: "after", text: "still to do" }] }]);
  await again.conversation.send({ text: "go" });
  expect(JSON.stringify(again.requests[1]?.messages.at(-1))).toContain("still to do");
});

test("a disk that refuses is told once and the conversation goes on in memory", async () => {
  const faults: string[] = [];
  const storage = {
    ...memoryStorage(),
    append: () => {
      throw new Error("ENOSPC");
    },
  };
  const journal = Journal.create(
    { storage: () => storage, clock: { now: () => 0 }, onFault: (message) => faults.push(message) },
    { cwd: "/" },
  );
  const live = scripted([says("one")], { journal });
  await live.conversation.send({ text: "first" });
  expect(live.entries().length).toBe(2);
  expect(faults.length).toBe(1);
});
