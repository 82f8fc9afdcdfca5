import { expect, test } from "bun:test";
import { intentOf, runTool } from "../../test/run.ts";
import { memoryTodos } from "../../test/todos.ts";
import { todo } from "./tool.ts";

const call = { id: "1", signal: new AbortController().signal, progress() {} };
const opened = () => {
  const store = memoryTodos();
  const tool = todo(store);
  return { store, tool, run: (...ops: Parameters<typeof tool.prepare>[0]["ops"]) => runTool(tool, { ops }, call) };
};
const plan = {
  op: "init" as const,
  list: [
    { phase: "Build", items: ["one", "two"] },
    { phase: "Test", items: ["three"] },
  ],
};

test("the answer says what is left, how far the phase is, and the whole list", async () => {
  const { run } = opened();
  expect(await run(plan)).toMatchObject({
    kind: "todo",
    text: [
      "3 tasks left: one; two; three\nPhase 1 of 2, Build: 0 of 2 closed",
      "Build\n  [/] one\n  [ ] two\nTest\n  [ ] three",
    ].join("\n"),
    data: { storage: "memory", phases: [{ name: "Build" }, { name: "Test" }] },
  });
  const done = await run({ op: "done", task: "one" });
  expect(done.text).toBe(
    "2 tasks left: two; three\nPhase 1 of 2, Build: 1 of 2 closed\nBuild\n  [x] one\n  [/] two\nTest\n  [ ] three",
  );
  expect(done.data).toMatchObject({ completedTasks: [{ phase: "Build", content: "one" }] });
  const all = await run({ op: "done" });
  expect(all.text).toStartWith("Nothing is left to do.\nBuild\n");
  expect(all.data).toMatchObject({ completedTasks: [{ content: "two" }, { content: "three" }] });
  expect((await run({ op: "drop", task: "one" })).data).not.toHaveProperty("completedTasks");
  expect((await run({ op: "rm" })).text).toBe("All tasks are taken off the list.");
});

test("view changes and writes nothing", async () => {
  const { store, run } = opened();
  expect((await run({ op: "view" })).text).toBe("There are no tasks.");
  store.save([{ name: "A", tasks: [{ content: "a", status: "pending" }] }], "fresh");
  store.save = () => {
    throw new Error("written");
  };
  expect(await run({ op: "view" }, { op: "view" })).toMatchObject({
    data: { phases: [{ tasks: [{ status: "pending" }] }] },
  });
});

test("a batch with an error leaves the list as it was and names every problem", async () => {
  const { store, run } = opened();
  await run(plan);
  const before = store.current();
  const failed = await run(
    { op: "done", task: "one" },
    { op: "done", task: "nope" },
    { op: "append", phase: "Build", items: ["two"] },
  );
  expect(failed).toMatchObject({
    failed: true,
    text: expect.stringMatching(/^Errors: Task "nope" not found; Task "two" already exists\nNothing was changed\./),
  });
  expect(store.current()).toEqual(before);
  expect(failed.data).toMatchObject({ phases: before });
});

test("an invalid operation is refused before it runs", () => {
  const { tool } = opened();
  for (const input of [
    {},
    { ops: [] },
    { ops: [{ op: "note", task: "a" }] },
    { ops: [{ op: "init", list: [{ phase: "A", items: [] }] }] },
  ])
    expect(tool.input.safeParse(input).success).toBe(false);
});

test("the list changes when a call runs, not when it is prepared", async () => {
  const { store, tool } = opened();
  const intent = await intentOf(tool, { ops: [plan] });
  expect(intent).toMatchObject({ effect: "read", paths: [] });
  expect(tool.beside?.({ ops: [plan] })).toBeUndefined();
  expect(store.current()).toEqual([]);
  await intent.run(call);
  expect(store.current()).toHaveLength(2);
});
