import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Channel, EntryDraft } from "@pith/agent";
import { scratch } from "@pith/kit/test";
import { said } from "../../test/command.ts";
import { turn } from "../../test/scripted.ts";
import { list } from "../../test/todo.ts";
import { memoryTodos } from "../../test/todos.ts";
import { todoCommand } from "./command.ts";

function made(cwd: string, busy = true) {
  const recorded: EntryDraft[] = [];
  const store = memoryTodos();
  const channel = { running: busy, record: (draft: EntryDraft) => recorded.push(draft) } as unknown as Channel;
  const { command, hook } = todoCommand({ cwd, store, channel });
  return { recorded, store, command, hook, say: (words: string) => said(command, words) };
}

test("/todo shows and changes the list, and the model is told of it", async () => {
  const { recorded, store, command, hook, say } = made("/");
  store.save(list("A: xa, /b"), "fresh");
  expect(await say("")).toBe("# A\n- [x] a\n- [/] b");
  expect(await command.complete?.("d")).toEqual(["done", "drop"]);
  await say("add c d");
  expect(store.current()).toEqual(list("A: xa, /b, .c d"));
  expect(recorded).toEqual([{ type: "custom", customType: "user_todo_edit", data: { phases: store.current() } }]);
  hook.step?.(turn({ step: 1 }));
  hook.step?.(turn({ step: 2 }));
  expect(recorded.slice(1)).toEqual([
    {
      type: "custom_message",
      customType: "pith.todo-edited",
      content: expect.stringContaining("- [ ] c d"),
      display: false,
    },
  ]);
  expect(await say("rm nothing")).toBe('failed: Task "nothing" not found');
  await say("# N\n- [ ] x");
  expect(store.current()).toEqual(list("N: /x"));
  await say("clear");
  expect(store.current()).toEqual([]);
  expect(await say("nonsense")).toStartWith("failed: Usage: /todo");
});

test("between turns the model is told at once, so that a resume knows it too", async () => {
  const { recorded, hook, say } = made("/", false);
  await say("add a");
  expect(recorded.map((draft) => "customType" in draft && draft.customType)).toEqual([
    "user_todo_edit",
    "pith.todo-edited",
  ]);
  hook.step?.(turn({ step: 1 }));
  expect(recorded).toHaveLength(2);
});

test("/todo writes the list to a file and takes one from a file", async () => {
  using dir = scratch();
  const { store, say } = made(dir.path);
  store.save(list("A: xa, /b"), "fresh");
  expect(await say("export list.md")).toBe(`The todo list is in ${dir.at("list.md")}.`);
  expect(readFileSync(dir.at("list.md"), "utf8")).toBe("# A\n- [x] a\n- [/] b\n");
  store.save([], "fresh");
  await say("import list.md");
  expect(store.current()).toEqual(list("A: xa, /b"));
  expect(await say("import gone.md")).toMatch(/^failed: .*gone\.md/);
});
