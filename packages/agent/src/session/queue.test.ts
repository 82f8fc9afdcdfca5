import { expect, test } from "bun:test";
import type { Image } from "@pith/llm";
import { says, scripted } from "../test/scripted.ts";
import { Journal } from "./journal.ts";
import { InputQueue } from "./queue.ts";
import { memoryStorage, type Storage } from "./store/storage.ts";

const parts = { clock: { now: () => 0 }, onFault: () => {} };
const image: Image = { type: "image", data: "aGk=", mimeType: "image/png" };

function begin() {
  const storage = memoryStorage();
  const journal = Journal.create({ ...parts, storage: () => storage }, { cwd: "/" });
  return { storage, journal, inbox: new InputQueue(journal) };
}
/** Opens the queue as a new process would after a crash. */
function afterCrash(storage: Storage): InputQueue {
  const opened = Journal.open({ ...parts, storage: memoryStorage(storage.read()?.toString()) });
  if (!opened.ok) throw new Error(opened.message);
  return new InputQueue(opened.value.journal);
}
const texts = (inbox: InputQueue) => inbox.list().map(({ text }) => text);

test("waiting input is listed in order with its images, also after a crash", () => {
  const { storage, inbox } = begin();
  const ids = [
    inbox.admit({ text: "then" }, "after").id,
    inbox.admit({ text: "look", images: [image, image] }, "steer").id,
    inbox.admit({ text: "last" }, "after").id,
  ];
  const list = [
    { id: ids[0], when: "after", text: "then", images: 0 },
    { id: ids[1], when: "steer", text: "look", images: 2 },
    { id: ids[2], when: "after", text: "last", images: 0 },
  ];
  expect<unknown>(inbox.list()).toEqual(list);
  expect<unknown>(afterCrash(storage).list()).toEqual(list);
});

test("input that was taken back comes back whole and is never delivered, whenever the process is killed", () => {
  const { storage, journal, inbox } = begin();
  inbox.admit({ text: "one" }, "after");
  const two = inbox.admit({ text: "two", images: [image] }, "after");
  inbox.admit({ text: "three" }, "after");
  const withdrawn = inbox.withdraw(two.id);
  expect(withdrawn?.input).toEqual({ text: "two", images: [image] });
  expect(withdrawn?.entry).toMatchObject({ customType: "pith.withdrawn", data: { inbox: two.id } });
  expect(texts(inbox)).toEqual(["one", "three"]);
  // Cut at every entry: before the withdrawal it waits, from then on it does not.
  const lines = storage.read()?.toString().trim().split("\n") ?? [];
  const waiting = lines.map((_, at) => texts(afterCrash(memoryStorage(`${lines.slice(0, at + 1).join("\n")}\n`))));
  expect(waiting).toEqual([[], ["one"], ["one", "two"], ["one", "two", "three"], ["one", "three"]]);
  expect(inbox.deliver("after", 0, "all")).toHaveLength(2);
  expect(texts(afterCrash(storage))).toEqual([]);
  // Nor when somebody goes back to where it waited.
  journal.tree.moveTo(two.id);
  expect(journal.tree.queued()).toEqual([]);
});

test("input that was delivered, withdrawn or never queued cannot be withdrawn", () => {
  const { journal, inbox } = begin();
  const sent = inbox.admit({ text: "sent" }, "steer");
  const dropped = inbox.admit({ text: "dropped" }, "after");
  inbox.deliver("steer", 0);
  inbox.withdraw(dropped.id);
  const { size } = journal.tree;
  for (const id of [sent.id, dropped.id, "ffffffff"]) expect(inbox.withdraw(id)).toBeUndefined();
  expect(journal.tree.size).toBe(size);
});

test("steering input is delivered all at once and later input one by one, unless set otherwise", () => {
  const { inbox } = begin();
  for (const text of ["1", "2", "3"]) {
    inbox.admit({ text: `s${text}` }, "steer");
    inbox.admit({ text: `a${text}` }, "after");
  }
  expect(inbox.deliver("steer", 0, "one-at-a-time")).toHaveLength(1);
  expect(texts(inbox)).toEqual(["a1", "s2", "a2", "s3", "a3"]);
  expect(inbox.deliver("steer", 0)).toHaveLength(2);
  expect(inbox.deliver("after", 0)).toHaveLength(1);
  expect(texts(inbox)).toEqual(["a2", "a3"]);
  const rest = inbox.deliver("after", 7, "all");
  expect(rest.map((entry) => entry.type === "message" && entry.message.content)).toEqual([
    [{ type: "text", text: "a2" }],
    [{ type: "text", text: "a3" }],
  ]);
  expect(inbox.empty).toBe(true);
});

test("moving back before a delivered message does not queue it again", () => {
  const { storage, journal, inbox } = begin();
  inbox.admit({ text: "this way" }, "steer");
  const [delivered] = inbox.deliver("steer", 0);
  journal.tree.moveTo(delivered?.parentId ?? null);
  journal.append({ type: "message", message: { role: "user", content: "that way", timestamp: 0 } });
  expect(texts(afterCrash(storage))).toEqual([]);
});

test("a resumed conversation does not send what was taken back", async () => {
  const first = scripted([says("one")]);
  await first.conversation.send({ text: "first" });
  const inbox = new InputQueue(first.journal);
  const dropped = inbox.admit({ text: "never mind" }, "after");
  inbox.admit({ text: "still to do" }, "after");
  inbox.withdraw(dropped.id);
  const again = scripted([says("two"), says("three")], { storage: first.storage });
  await again.conversation.send({ text: "go" });
  expect(JSON.stringify(again.requests)).not.toContain("never mind");
  expect(JSON.stringify(again.requests[1]?.messages.at(-1))).toContain("still to do");
});

test("input that waits on the disk is not delivered while that cannot be recorded: it would come again", () => {
  const storage = memoryStorage();
  let full = false;
  const append = (bytes: Uint8Array) => {
    if (full) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    return storage.append(bytes);
  };
  const journal = Journal.create({ ...parts, storage: () => ({ ...storage, append }) }, { cwd: "/" });
  const inbox = new InputQueue(journal);
  inbox.admit({ text: "recorded" }, "after");
  full = true;
  journal.append({ type: "session_info", name: "only in memory" });
  expect(inbox.deliver("after", 0)).toEqual([]);
  inbox.admit({ text: "in memory, as all that follows" }, "steer");
  expect(inbox.deliver("steer", 0)).toHaveLength(1);
  expect(texts(inbox)).toEqual(["recorded"]);
  full = false;
  journal.append({ type: "session_info", name: "again on the disk" });
  expect(inbox.deliver("after", 0)).toHaveLength(1);
  expect(texts(afterCrash(storage))).toEqual([]);
});
