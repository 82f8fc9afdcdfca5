import { expect, test } from "bun:test";
import type { Channel, EntryDraft, Notice } from "@pith/agent";
import { turn } from "../../test/scripted.ts";
import { list } from "../../test/todo.ts";
import { memoryTodos } from "../../test/todos.ts";
import { todoReminder } from "./reminder.ts";

const two = list("A: /a, .b | B: .c");
const parts = () => {
  const recorded: EntryDraft[] = [];
  const told: Notice[] = [];
  return {
    store: memoryTodos(),
    recorded,
    told,
    channel: {
      record: (draft: EntryDraft) => recorded.push(draft),
      notify: (notice: Notice) => void told.push(notice),
    } as unknown as Channel,
  };
};
const at = (id: string, step: number) => turn({ id, step, attempt: 0 });

test("the model is reminded while tasks are open and it works on them, but not forever", () => {
  const it = parts();
  it.store.save(two, "fresh");
  const { settle } = todoReminder(it.store, it.channel, 2);
  expect(settle?.(at("first", 1))).toEqual({ do: "done" });
  expect(settle?.(at("first", 3))).toMatchObject({
    do: "go on",
    note: expect.stringContaining("3 tasks open on the todo list:\n- a (in progress)\n- b\n- c"),
  });
  expect(settle?.(at("first", 4))).toEqual({ do: "done" });
  expect(settle?.(at("first", 6))).toMatchObject({ do: "go on" });
  expect(settle?.(at("first", 9))).toEqual({ do: "done" });
  expect(settle?.(at("second", 2))).toMatchObject({ do: "go on" });
  it.store.save(list("A: xa"), "further");
  expect(settle?.(at("second", 2))).toEqual({ do: "done" });
});

test("a failed update is told to the person at once and to the model before it is asked again, once", () => {
  const it = parts();
  const { result, step } = todoReminder(it.store, it.channel, 3);
  const view = { tool: { name: "todo" } } as Parameters<NonNullable<typeof result>>[0];
  result?.(view, { kind: "prose", data: {}, text: "", failed: true });
  expect(it.told).toEqual([{ level: "warn", text: expect.stringMatching(/^Todo update failed/) }]);
  expect(it.recorded).toEqual([]);
  step?.(at("first", 1));
  step?.(at("first", 2));
  expect(it.recorded).toEqual([
    {
      type: "custom_message",
      customType: "todo-error-reminder",
      content: expect.stringContaining("changed nothing"),
      display: false,
    },
  ]);
});
