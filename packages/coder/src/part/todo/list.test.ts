import { expect, test } from "bun:test";
import { list } from "../../test/todo.ts";
import { applyTodo, type TodoOp, type TodoPhase } from "./list.ts";

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
  ).toEqual(['init has the phase "A" twice', 'init has the task "a" twice']);
});

test("starting a task puts the one before it back, also for a closed task", () => {
  expect(after(two, { op: "start", task: "c" })).toEqual(list("A: .a, .b | B: /c"));
  expect(after(list("A: xa, -b | B: /c"), { op: "start", task: "a" })).toEqual(list("A: /a, -b | B: .c"));
  expect(after(list("A: xa, -b | B: /c"), { op: "start", task: "b" })).toEqual(list("A: xa, /b | B: .c"));
});

test("done, drop and rm apply to the named task, to the phase, or to the whole list", () => {
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

test("append makes a missing phase, and adds nothing if one of the tasks exists", () => {
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

test("every mistake has its own message", () => {
  const cases: [TodoOp, string][] = [
    [{ op: "init" }, "init needs a list"],
    [{ op: "start" }, "A task needs words"],
    [{ op: "done", task: " " }, "A task needs words"],
    [{ op: "start", task: "A" }, 'Task "A" not found'],
    [{ op: "done", phase: "" }, "A phase needs a name"],
    [{ op: "drop", phase: "Z" }, 'Phase "Z" not found'],
    [{ op: "append", items: ["x"] }, "append needs the name of a phase"],
    [{ op: "append", phase: "A" }, "append needs items"],
  ];
  for (const [op, message] of cases) expect(errorsOf(two, op)).toEqual([message]);
  expect(errorsOf([], { op: "start", task: "a" })).toEqual([
    'Task "a" not found (the list is empty; make one with init)',
  ]);
});

test("a task is found by the name it was given, also when that had line breaks", () => {
  const { phases } = applyTodo([], [{ op: "init", list: [{ phase: " P ", items: ["fix\n  the parser", "b"] }] }]);
  expect(applyTodo(phases, [{ op: "done", task: "fix\n  the parser" }])).toMatchObject({
    errors: [],
    phases: [{ name: "P", tasks: [{ status: "completed" }, {}] }],
  });
});
