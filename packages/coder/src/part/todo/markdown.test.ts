import { expect, test } from "bun:test";
import fc from "fast-check";
import { list } from "../../test/todo.ts";
import { applyTodo, type TodoStatus } from "./list.ts";
import { markdownToTodo, todoToMarkdown } from "./markdown.ts";

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

test("Markdown of a person is understood: other signs, no heading, doubles", () => {
  expect(markdownToTodo("- [ ] a\n* [>] b\n1. [~] c\n## P\n- [X] d\n- [ ] a\ntext\n")).toEqual(
    list("Todos: .a, /b, -c | P: xd"),
  );
});
