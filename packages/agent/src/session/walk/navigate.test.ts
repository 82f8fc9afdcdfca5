import { expect, test } from "bun:test";
import { noUsage } from "@pith/llm";
import type { Entry, EntryDraft } from "../entry.ts";
import { Journal } from "../journal.ts";
import { memoryStorage } from "../store/storage.ts";
import { leftBehind, navigate } from "./navigate.ts";

const begin = () =>
  Journal.create({ storage: () => memoryStorage(), clock: { now: () => 0 }, onFault: () => {} }, { cwd: "/" });
const user = (content: string): EntryDraft => ({ type: "message", message: { role: "user", content, timestamp: 0 } });
const reply = (text: string): EntryDraft => ({
  type: "message",
  message: {
    role: "assistant",
    content: [{ type: "text", text }],
    api: "a",
    provider: "p",
    model: "m",
    usage: noUsage(),
    stopReason: "stop",
    timestamp: 0,
  },
});

test("going back to what a person said hands the text back and the next entry is its sibling", async () => {
  const journal = begin();
  const first = journal.append(user("one"));
  journal.append(reply("answer"));
  const second = journal.append(user("two"));
  expect(await navigate(journal, second.id)).toEqual({ done: "stayed" });
  journal.append(reply("more"));
  expect(await navigate(journal, second.id)).toEqual({ done: "moved", text: "two" });
  expect(journal.append(user("other")).parentId).toBe(second.parentId);
  expect(await navigate(journal, first.id)).toEqual({ done: "moved", text: "one" });
  expect(journal.tree.leaf).toBeNull();
  const answer = journal.tree.children(first.id)[0] as Entry;
  expect(await navigate(journal, answer.id)).toEqual({ done: "moved" });
  expect(journal.tree.leaf).toBe(answer.id);
});

test("the branch left behind is summed up before the move, and a summary that is given up moves nothing", async () => {
  const journal = begin();
  const base = journal.append(reply("base"));
  const left = journal.append(user("left"));
  const kept = journal.append({ type: "compaction", summary: "c", firstKeptEntryId: left.id, tokensBefore: 0 });
  expect(leftBehind(journal.tree, base.id).map((entry) => entry.id)).toEqual([left.id, kept.id]);
  expect(await navigate(journal, base.id, async () => undefined)).toEqual({ done: "cancelled" });
  expect(journal.tree.leaf).toBe(kept.id);
  const moved = await navigate(journal, base.id, async (entries) => ({ summary: `${entries.length} entries` }));
  expect(moved).toMatchObject({
    done: "moved",
    summary: { type: "branch_summary", fromId: kept.id, parentId: base.id, summary: "2 entries" },
  });
  const asked: unknown[] = [];
  journal.tree.moveTo(base.id);
  await navigate(journal, left.id, async (entries) => void asked.push(entries));
  expect(asked).toEqual([]);
});

test("a branch without messages is not summed up", async () => {
  const journal = begin();
  const base = journal.append(reply("base"));
  journal.append({ type: "custom", customType: "pith.question", data: { id: "1" } });
  journal.append({ type: "custom", customType: "pith.answer", data: { id: "1" } });
  const asked: unknown[] = [];
  expect(await navigate(journal, base.id, async (left) => void asked.push(left))).toEqual({ done: "moved" });
  expect(asked).toEqual([]);
  expect(journal.tree.leaf).toBe(base.id);
});
