import { expect, test } from "bun:test";
import { Journal } from "../session/journal.ts";
import { memoryStorage, type Storage } from "../session/store/storage.ts";
import { says, scripted } from "../test/scripted.ts";

/** A storage that tells what is done with it, in order. */
function told(did: string[], name: string, inner: Storage = memoryStorage()): Storage {
  return {
    ...inner,
    append(bytes) {
      did.push(`${name} append`);
      return inner.append(bytes);
    },
    async sync() {
      await inner.sync();
      did.push(`${name} sync`);
    },
  };
}

const clock = { now: () => 1_700_000_000_000 };
const hold = (storage: Storage) => Journal.create({ clock, onFault: () => {}, storage: () => storage }, { cwd: "/w" });

test("all of a turn is on the disk before it is over, and its input before it is answered", async () => {
  const did: string[] = [];
  const talk = scripted([says("one"), says("two")], {
    storage: told(did, "a"),
    onEvent: (event) => {
      if (event.type === "turn" && event.state.name === "idle") did.push("over");
    },
  });
  did.length = 0;
  await talk.conversation.send({ text: "go" });
  expect(did.slice(-3)).toEqual(["a append", "a sync", "over"]);
  expect(did.filter((one) => one === "a sync").length).toBeGreaterThanOrEqual(2);
  await talk.conversation.send({ text: "again" });
  expect(did.slice(-3)).toEqual(["a append", "a sync", "over"]);
});

test("who wants no syncs has none", async () => {
  const did: string[] = [];
  const talk = scripted([says("one")], { storage: told(did, "a"), sync: "never" } as never);
  await talk.conversation.send({ text: "go" });
  expect(did).toContain("a append");
  expect(did).not.toContain("a sync");
});

test("the record that a conversation goes on in is on the disk before the old one says so", async () => {
  const did: string[] = [];
  const talk = scripted([says("one"), says("two")], { storage: told(did, "old") });
  await talk.conversation.send({ text: "go" });
  did.length = 0;
  const next = hold(told(did, "new"));
  const draft = { type: "custom", customType: "first", data: {} } as const;
  const farewell = { type: "custom", customType: "moved", data: {} } as const;
  let switched = 0;
  expect(await talk.conversation.handOver(next, [draft], farewell, () => switched++)).toBe(true);
  expect(switched).toBe(1);
  const [synced, left] = [did.indexOf("new sync"), did.indexOf("old append")];
  expect(synced).toBeGreaterThan(did.indexOf("new append"));
  expect(left).toBeGreaterThan(synced);
  expect(did.indexOf("old sync")).toBeGreaterThan(left);
  await talk.conversation.send({ text: "go on" });
  expect(did.slice(-2)).toEqual(["new append", "new sync"]);
});

test("where the new record cannot be written, nothing has changed", async () => {
  const did: string[] = [];
  const talk = scripted([says("one"), says("two")], { storage: told(did, "old") });
  await talk.conversation.send({ text: "go" });
  const before = talk.entries().length;
  const full: Storage = {
    ...memoryStorage(),
    append() {
      throw new Error("no space left on device");
    },
  };
  const draft = { type: "custom", customType: "first", data: {} } as const;
  let switched = 0;
  expect(await talk.conversation.handOver(hold(full), [draft], draft, () => switched++)).toBe(false);
  expect([switched, talk.entries().length]).toEqual([0, before]);
  did.length = 0;
  await talk.conversation.send({ text: "go on" });
  expect(did).toContain("old append");
});
