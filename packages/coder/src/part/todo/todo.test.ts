import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Draft, type Entry, Journal, memoryStorage, type Notice, type TurnView } from "@pith/agent";
import fc from "fast-check";
import { todoCommand } from "./todo-command.ts";
import { applyTodo, type TodoOp, type TodoPhase, type TodoStatus } from "./todo-list.ts";
import { markdownToTodo, todoToMarkdown } from "./todo-markdown.ts";
import { todoReminder } from "./todo-reminder.ts";
import { memoryTodos, sessionTodos } from "./todo-store.ts";

const signs: Record<string, TodoStatus> = { " ": "pending", "/": "in_progress", x: "completed", "-": "abandoned" };
/** `A: a/ b x c` is a phase A with tasks a, b, c. */
const list = (text: string): TodoPhase[] => {
  const phases: TodoPhase[] = [];
  for (const line of text.split("|")) {
    const [name = "", rest = ""] = line.split(":").map((part) => part.trim());
    phases.push({
      name,
      tasks: rest.split(",").map((one) => ({
        content: one.trim().slice(1),
        status: signs[one.trim()[0] === "." ? " " : (one.trim()[0] ?? "")] ?? "pending",
      })),
    });
  }
  return phases;
};
const two = list("A: /a, .b | B: .c");
const after = (before: TodoPhase[], ...ops: TodoOp[]) => applyTodo(before, ops).phases;
const errorsOf = (before: TodoPhase[], ...ops: TodoOp[]) => applyTodo(before, ops).errors;

test("init replaces the list and the first task begins", () => {
  expect(
    after(list("Z: xz"), {
      op: "init",
      list: [
        { phase: "A", items: ["a", "b"] },
        { phase: "B", items: ["c"] },
      ],
    }),
  ).toEqual(two);
  expect(
    errorsOf([], {
      op: "init",
      list: [
        { phase: "A", items: ["a"] },
        { phase: "A", items: ["a"] },
      ],
    }),
  ).toEqual(['Duplicate phase "A" in init list', 'Duplicate task "a" in init list']);
});

test("starting a task puts the one before it back, also for a closed task", () => {
  expect(after(two, { op: "start", task: "c" })).toEqual(list("A: .a, .b | B: /c"));
  expect(after(list("A: xa, -b | B: /c"), { op: "start", task: "a" })).toEqual(list("A: /a, -b | B: .c"));
  expect(after(list("A: xa, -b | B: /c"), { op: "start", task: "b" })).toEqual(list("A: xa, /b | B: .c"));
});

test("done, drop and rm mean a task, else a phase, else everything", () => {
  expect(after(two, { op: "done", task: "a" })).toEqual(list("A: xa, /b | B: .c"));
  expect(after(two, { op: "done", phase: "A" })).toEqual(list("A: xa, xb | B: /c"));
  expect(after(two, { op: "done" })).toEqual(list("A: xa, xb | B: xc"));
  expect(after(two, { op: "drop", task: "c" })).toEqual(list("A: /a, .b | B: -c"));
  expect(after(two, { op: "drop", phase: "A" })).toEqual(list("A: -a, -b | B: /c"));
  expect(after(two, { op: "drop" })).toEqual(list("A: -a, -b | B: -c"));
  expect(after(two, { op: "rm", task: "a" })).toEqual(list("A: /b | B: .c"));
  expect(after(two, { op: "rm", phase: "A" })).toEqual(list("B: /c"));
  expect(after(two, { op: "rm" })).toEqual([]);
});

test("append makes a missing phase, and one task that exists keeps all of them out", () => {
  expect(after(two, { op: "append", phase: "C", items: ["d"] })).toEqual(list("A: /a, .b | B: .c | C: .d"));
  expect(after(two, { op: "append", phase: "A", items: ["d"] })).toEqual(list("A: /a, .b, .d | B: .c"));
  expect(applyTodo(two, [{ op: "append", phase: "B", items: ["new", "a"] }])).toEqual({
    phases: two,
    errors: ['Task "a" already exists'],
  });
});

test("one error undoes the whole batch, and all errors are told", () => {
  const ops: TodoOp[] = [
    { op: "done", task: "a" },
    { op: "done", task: "missing" },
    { op: "append", phase: "A", items: ["b"] },
  ];
  expect(applyTodo(two, ops)).toEqual({ phases: two, errors: ['Task "missing" not found', 'Task "b" already exists'] });
});

test("every mistake has its own words", () => {
  const cases: [TodoOp, string][] = [
    [{ op: "init" }, "Missing list for init operation"],
    [{ op: "start" }, "Missing task content"],
    [{ op: "done", task: " " }, "Missing task content"],
    [{ op: "start", task: "A" }, 'Task "A" not found'],
    [{ op: "done", phase: "" }, "Missing phase name"],
    [{ op: "drop", phase: "Z" }, 'Phase "Z" not found'],
    [{ op: "append", items: ["x"] }, "Missing phase name for append operation"],
    [{ op: "append", phase: "A" }, "Missing items for append operation"],
  ];
  for (const [op, message] of cases) expect(errorsOf(two, op)).toEqual([message]);
  expect(errorsOf([], { op: "start", task: "a" })).toEqual([
    'Task "a" not found (the list is empty; make one with init)',
  ]);
});

test("a list survives being written as Markdown and read again, whatever its tasks are called", () => {
  const word = fc.stringMatching(/^[A-Za-z0-9][\w .,:;!?()'"-]{0,20}[A-Za-z0-9]$/);
  const status = fc.constantFrom<TodoStatus>("pending", "completed", "abandoned");
  const tasks = fc.uniqueArray(fc.record({ content: word, status }), {
    minLength: 1,
    maxLength: 6,
    selector: ({ content }) => content,
  });
  fc.assert(
    fc.property(tasks, fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), (all, names) => {
      const phases = names
        .map((name, i) => ({ name, tasks: all.filter((_, at) => at % names.length === i) }))
        .filter((phase) => phase.tasks.length > 0);
      const whole = applyTodo(phases, [
        { op: "append", phase: names[0] ?? "", items: ["the last one, always open"] },
      ]).phases;
      expect(markdownToTodo(todoToMarkdown(whole))).toEqual(whole);
    }),
    { numRuns: 200 },
  );
});

test("no name of a task or phase is lost on the way through Markdown", () => {
  const odd = fc.oneof(
    fc.string({ maxLength: 20, unit: "grapheme" }),
    fc.constantFrom(
      "C#",
      "A #",
      "# a",
      "## x ##",
      "[x] done?",
      "- [ ] a",
      "two\nlines",
      " around ",
      "a\r\n b",
      "a\u2028b",
      "1. [x] y",
      "> q",
      "- ",
      "#",
      "\t",
    ),
  );
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(odd, odd), { minLength: 1, maxLength: 5 }), (pairs) => {
      const { phases, errors } = applyTodo(
        [],
        [{ op: "init", list: pairs.map(([phase, item]) => ({ phase, items: [item] })) }],
      );
      fc.pre(errors.length === 0);
      expect(markdownToTodo(todoToMarkdown(phases))).toEqual(phases);
    }),
    { numRuns: 500 },
  );
});

test("a task is found by the name it was given, also when that had line breaks", () => {
  const { phases } = applyTodo([], [{ op: "init", list: [{ phase: " P ", items: ["fix\n  the parser", "b"] }] }]);
  expect(applyTodo(phases, [{ op: "done", task: "fix\n  the parser" }])).toMatchObject({
    errors: [],
    phases: [{ name: "P", tasks: [{ status: "completed" }, {}] }],
  });
});

test("Markdown of a person is understood: other signs, no heading, doubles", () => {
  expect(markdownToTodo("- [ ] a\n* [>] b\n1. [~] c\n## P\n- [X] d\n- [ ] a\ntext\n")).toEqual(
    list("Todos: .a, /b, -c | P: xd"),
  );
});

const clock = { now: () => 1_700_000_000_000 };
const session = (storage = memoryStorage()) => {
  const parts = { storage, clock, onFault: () => {} };
  const opened = Journal.open(parts);
  const journal = opened.ok
    ? opened.value.journal
    : Journal.create({ ...parts, storage: () => storage }, { cwd: "/p" });
  return { storage, journal, store: sessionTodos(journal.tree, (draft) => journal.append(draft), "session") };
};

test("a resumed session goes on with what is open and still knows what was closed", () => {
  const first = session();
  first.store.save(list("A: xa, /b | B: -c, .d"), "fresh");
  expect(first.store.current()).toEqual(list("A: xa, /b | B: -c, .d"));
  const second = session(first.storage);
  expect(second.store.current()).toEqual(list("A: /b | B: .d"));
  expect(second.store.all()).toEqual(list("A: xa, /b | B: -c, .d"));
  second.store.save(after(second.store.current(), { op: "done", task: "b" }), "further");
  expect(second.store.current()).toEqual(list("A: xb | B: /d"));
  const third = session(first.storage);
  expect(third.store.current()).toEqual(list("B: /d"));
  expect(third.store.all()).toEqual(list("A: xa, xb | B: -c, /d"));
  third.store.save(list("N: /n"), "fresh");
  expect(third.store.all()).toEqual(list("N: /n"));
});

test("the list follows a move in the tree", () => {
  const { journal, store } = session();
  store.save(list("A: /a"), "fresh");
  const here = journal.tree.leaf;
  store.save(list("A: xa"), "further");
  journal.tree.moveTo(here);
  expect(store.current()).toEqual(list("A: /a"));
});

test("a list of a relative's session is taken over, and nonsense is not", () => {
  const { journal, store } = session();
  const result = (details: unknown): Draft => ({
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

const parts = (store = memoryTodos()) => {
  const recorded: Draft[] = [];
  const told: Notice[] = [];
  return {
    cwd: tmpdir(),
    store,
    recorded,
    told,
    record: (draft: Draft) => recorded.push(draft) as unknown as Entry,
    tell: (notice: Notice) => void told.push(notice),
  };
};
const turn = (signal: AbortSignal, step: number) => ({ signal, step, attempt: 0 }) as TurnView;

test("the model is asked on while tasks are open and it works on them, and not forever", () => {
  const own = parts();
  own.store.save(two, "fresh");
  const { settle } = todoReminder({ ...own, max: 2 });
  const { signal } = new AbortController();
  expect(settle?.(turn(signal, 1))).toEqual({ do: "done" });
  expect(settle?.(turn(signal, 3))).toMatchObject({
    do: "go on",
    note: expect.stringContaining("3 tasks open on the todo list:\n- a (in progress)\n- b\n- c"),
  });
  expect(settle?.(turn(signal, 4))).toEqual({ do: "done" });
  expect(settle?.(turn(signal, 6))).toMatchObject({ do: "go on" });
  expect(settle?.(turn(signal, 9))).toEqual({ do: "done" });
  expect(settle?.(turn(new AbortController().signal, 2))).toMatchObject({ do: "go on" });
  own.store.save(list("A: xa"), "further");
  expect(settle?.(turn(new AbortController().signal, 2))).toEqual({ do: "done" });
});

test("a failed update is told to the person at once and to the model before it is asked again, once", () => {
  const own = parts();
  const { result, step } = todoReminder({ ...own, max: 3 });
  const view = { tool: { name: "todo" } } as Parameters<NonNullable<typeof result>>[0];
  result?.(view, { kind: "prose", data: {}, text: "", failed: true });
  expect(own.told).toEqual([{ level: "warn", text: expect.stringMatching(/^Todo update failed/) }]);
  expect(own.recorded).toEqual([]);
  const { signal } = new AbortController();
  step?.(turn(signal, 1));
  step?.(turn(signal, 2));
  expect(own.recorded).toEqual([
    {
      type: "custom_message",
      customType: "todo-error-reminder",
      content: expect.stringContaining("changed nothing"),
      display: false,
    },
  ]);
});

test("/todo shows and changes the list, and the model is told what it became", async () => {
  const own = parts();
  own.store.save(list("A: xa, /b"), "fresh");
  const command = todoCommand(own);
  const say = (text: string) => command.input?.({ text });
  expect(await say("/todo")).toEqual({ handled: true });
  expect(own.told.pop()?.text).toBe("# A\n- [x] a\n- [/] b");
  await say("/todo add c d");
  expect(own.store.current()).toEqual(list("A: xa, /b, .c d"));
  expect(own.recorded).toEqual([
    { type: "custom", customType: "user_todo_edit", data: { phases: own.store.current() } },
  ]);
  const { signal } = new AbortController();
  command.step?.(turn(signal, 1));
  command.step?.(turn(signal, 2));
  expect(own.recorded.slice(1)).toEqual([
    {
      type: "custom_message",
      customType: "pith.todo-edited",
      content: expect.stringContaining("- [ ] c d"),
      display: false,
    },
  ]);
  await say("/todo rm nothing");
  expect(own.told.pop()).toEqual({ level: "warn", text: 'Task "nothing" not found' });
  await say("/todo # N\n- [ ] x");
  expect(own.store.current()).toEqual(list("N: /x"));
  await say("/todo clear");
  expect(own.store.current()).toEqual([]);
  await say("/todo nonsense");
  expect(own.told.pop()?.text).toStartWith("Usage: /todo");
  expect(await say("/todos")).toEqual({ text: "/todos" });
});

test("/todo writes the list to a file and takes one from a file", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "pith-todo-"));
  const own = { ...parts(), cwd };
  const say = (text: string) => todoCommand(own).input?.({ text });
  own.store.save(list("A: xa, /b"), "fresh");
  await say("/todo export list.md");
  expect(readFileSync(join(cwd, "list.md"), "utf8")).toBe("# A\n- [x] a\n- [/] b\n");
  own.store.save([], "fresh");
  await say("/todo import list.md");
  expect(own.store.current()).toEqual(list("A: xa, /b"));
  await say("/todo import gone.md");
  expect(own.told.pop()).toMatchObject({ level: "warn", text: expect.stringContaining("gone.md") });
  rmSync(cwd, { recursive: true });
});
