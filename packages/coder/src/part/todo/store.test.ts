import { expect, test } from "bun:test";
import { type EntryDraft, memoryStorage } from "@pith/agent";
import { journalIn } from "../../test/scripted.ts";
import { list } from "../../test/todo.ts";
import { applyTodo } from "./list.ts";
import { sessionTodos } from "./store.ts";

const session = (storage = memoryStorage()) => {
  const journal = journalIn(storage);
  return {
    storage,
    journal,
    store: sessionTodos(journal.tree, { record: (draft) => journal.append(draft) }, "session"),
  };
};

test("a resumed session goes on with what is open and still knows what was closed", () => {
  const first = session();
  first.store.save(list("A: xa, /b | B: -c, .d"), "fresh");
  expect(first.store.current()).toEqual(list("A: xa, /b | B: -c, .d"));
  const second = session(first.storage);
  expect(second.store.current()).toEqual(list("A: /b | B: .d"));
  expect(second.store.all()).toEqual(list("A: xa, /b | B: -c, .d"));
  second.store.save(applyTodo(second.store.current(), [{ op: "done", task: "b" }]).phases, "further");
  expect(second.store.current()).toEqual(list("A: xb | B: /d"));
  const third = session(first.storage);
  expect(third.store.current()).toEqual(list("B: /d"));
  expect(third.store.all()).toEqual(list("A: xa, xb | B: -c, /d"));
  third.store.save(list("N: /n"), "fresh");
  expect(third.store.all()).toEqual(list("N: /n"));
});

test("a task that was closed in an earlier run and comes again is listed once", () => {
  const first = session();
  first.store.save(list("A: xa, /b"), "fresh");
  const second = session(first.storage);
  second.store.save(applyTodo(second.store.current(), [{ op: "append", phase: "B", items: ["a"] }]).phases, "further");
  expect(second.store.all()).toEqual(list("A: /b | B: .a"));
});

test("the list follows a move in the tree", () => {
  const { journal, store } = session();
  store.save(list("A: /a"), "fresh");
  const here = journal.tree.leaf;
  store.save(list("A: xa"), "further");
  journal.tree.moveTo(here);
  expect(store.current()).toEqual(list("A: /a"));
});

test("the list of another product's session is taken over, and invalid data is not", () => {
  const { journal, store } = session();
  const result = (details: unknown): EntryDraft => ({
    type: "message",
    message: {
      role: "toolResult",
      toolCallId: "c",
      toolName: "todo_write",
      content: [],
      details: details as Record<string, unknown>,
      isError: false,
      timestamp: 0,
    },
  });
  journal.append(
    result({
      phases: [
        {
          name: "A",
          tasks: [{ content: "a", status: "in_progress", notes: ["n"] }, { content: "b", status: "odd" }, null],
        },
        7,
      ],
    }),
  );
  expect(store.current()).toEqual(list("A: /a"));
});
