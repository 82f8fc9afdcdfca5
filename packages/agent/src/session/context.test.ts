import { expect, test } from "bun:test";
import type { Message } from "@pith/llm";
import { Context, openCalls } from "./context.ts";
import type { EntryDraft } from "./entry.ts";
import { Journal } from "./journal.ts";
import { memoryStorage } from "./store/storage.ts";

function setUp() {
  const storage = memoryStorage();
  const parts = { clock: { now: () => 0 }, onFault: () => {} };
  const journal = Journal.create({ ...parts, storage: () => storage }, { cwd: "/" });
  const context = new Context(journal);
  const add = (draft: object) => journal.append(draft as EntryDraft).id;
  const say = (content: string) => add({ type: "message", message: { role: "user", content, timestamp: 0 } });
  const texts = ({ messages }: Context) => messages.map((message) => String(message.content));
  // A running conversation must hold what a resumed one builds.
  const shown = () => {
    const opened = Journal.open({ ...parts, storage });
    if (!opened.ok) throw new Error(opened.message);
    opened.value.journal.tree.moveTo(journal.tree.leaf);
    expect(texts(new Context(opened.value.journal))).toEqual(texts(context));
    return texts(context);
  };
  return { journal, context, add, say, shown };
}

test("after a compaction stand its summary, what it kept and what came later; the last one counts", () => {
  const { add, say, shown } = setUp();
  say("one");
  const two = say("two");
  add({ type: "compaction", summary: "first summary", firstKeptEntryId: two, tokensBefore: 0 });
  expect(shown()).toEqual([expect.stringContaining("first summary"), "two"]);
  const three = say("three");
  add({ type: "compaction", summary: "second summary", firstKeptEntryId: two, tokensBefore: 0 });
  say("four");
  expect(shown()).toEqual([expect.stringContaining("second summary"), "two", "three", "four"]);
  const last = add({ type: "compaction", summary: "third summary", firstKeptEntryId: "nowhere", tokensBefore: 0 });
  expect(shown()).toEqual([expect.stringContaining("third summary")]);
  expect([three, last].every(Boolean)).toBe(true);
});

test("of a path that no model could be shown the end is, from a question on, and that is said", () => {
  const { journal, context, say, add, shown } = setUp();
  const long = "x".repeat(1 << 20);
  for (let n = 0; n < 20; n++) {
    say(`question ${n}`);
    add({ type: "custom_message", customType: "x", content: `${n} ${long}`, display: true });
  }
  const opened = new Context(journal);
  const first = opened.messages.map(({ content }) => String(content).slice(0, 12));
  expect(first[0]).toBe("The beginnin");
  expect(first[1]).toBe("question 9");
  expect(first).toHaveLength(1 + 2 * 11);
  // After a compaction nothing is missing any more.
  add({ type: "compaction", summary: "all of it", firstKeptEntryId: say("last"), tokensBefore: 0 });
  expect(shown()).toEqual([expect.stringContaining("all of it"), "last"]);
  expect(context.messages).toHaveLength(2);
});

test("only the branch that leads to the leaf is shown", () => {
  const { journal, say, shown } = setUp();
  const one = say("one");
  say("left");
  journal.tree.moveTo(one);
  say("right");
  expect(shown()).toEqual(["one", "right"]);
  journal.tree.moveTo(null);
  expect(shown()).toEqual([]);
  say("anew");
  expect(shown()).toEqual(["anew"]);
});

test("edits and resets of pi and omp hold here too", () => {
  const { add, say, shown } = setUp();
  const one = say("one");
  const two = say("two");
  add({ type: "context_edit", targetId: one, replacement: { content: "instead" } });
  add({ type: "context_edit", targetId: two, replacement: null });
  expect(shown()).toEqual(["instead"]);
  add({ type: "reset_boundary" });
  expect(shown()).toEqual([]);
  say("after");
  expect(shown()).toEqual(["after"]);
});

test("an edit without a shape changes nothing, and of one with odd parts only what can be sent is shown", () => {
  const { add, say, shown, context } = setUp();
  const one = say("one");
  const two = say("two");
  for (const replacement of [5, "text", {}, { content: { a: 1 } }, { content: null }])
    add({ type: "context_edit", targetId: one, replacement });
  expect(shown()).toEqual(["one", "two"]);
  const odd = [null, 5, { type: "text" }, { type: "image", data: 1 }, { type: "toolCall", id: "x" }];
  add({ type: "context_edit", targetId: two, replacement: { content: [...odd, { type: "text", text: "sound" }] } });
  add({ type: "message", message: { role: "user", content: [null, { type: "text", text: "also" }], timestamp: 0 } });
  const parts = context.messages.slice(1).map(({ content }) => content);
  expect(parts).toEqual([[{ type: "text", text: "sound" }], [{ type: "text", text: "also" }]]);
});

test("questions and answers between calls and their results change nothing of what the model is shown", () => {
  const { journal, context, add } = setUp();
  const call = (id: string) => ({ type: "toolCall", id, name: "bash", arguments: {} });
  const result = (id: string) =>
    add({ type: "message", message: { role: "toolResult", toolCallId: id, toolName: "bash", content: [] } });
  const open = () => openCalls(context.messages).map(({ id }) => id);
  add({ type: "message", message: { role: "user", content: "go", timestamp: 0 } });
  add({ type: "message", message: { role: "assistant", content: [call("1"), call("2")] } });
  add({ type: "custom", customType: "pith.question", data: { id: "1" } });
  expect(open()).toEqual(["1", "2"]);
  add({ type: "custom", customType: "pith.answer", data: { id: "1" } });
  result("1");
  const between = add({ type: "custom", customType: "pith.question", data: { id: "2" } });
  expect(open()).toEqual(["2"]);
  add({ type: "custom", customType: "pith.answer", data: { id: "2" } });
  result("2");
  expect(open()).toEqual([]);
  const roles: Message["role"][] = ["user", "assistant", "toolResult", "toolResult"];
  expect(context.messages.map(({ role }) => role)).toEqual(roles);
  expect(new Context(journal).messages.map(({ role }) => role)).toEqual(roles);
  // After a move back to a question its call is unanswered.
  journal.tree.moveTo(between);
  expect(open()).toEqual(["2"]);
});
