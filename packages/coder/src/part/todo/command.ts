import { resolve } from "node:path";
import type { Behaviour, Draft, Notice } from "@pith/agent";
import { readWhole, writeWhole } from "@pith/host";
import { fill } from "@pith/kit";
import editedProse from "../prompts/todo-edited.md" with { type: "text" };
import { applyTodo, onlyTasks, type TodoOp, type TodoPhase } from "./todo-list.ts";
import { markdownToTodo, todoToMarkdown } from "./todo-markdown.ts";
import type { TodoStore } from "./todo-store.ts";

export interface TodoCommandParts {
  cwd: string;
  store: TodoStore;
  record(draft: Draft): void;
  tell(notice: Notice): void;
}

/**
 * `/todo` for people: alone it shows the list as Markdown, closed tasks included; followed by a Markdown checklist it
 * replaces
 * the list; `add`, `start`, `done`, `drop`, `rm` with a task, and `clear`, change it; `export` and `import` write and
 * read a file.
 */
export function todoCommand(parts: TodoCommandParts): Behaviour {
  // Told to the model before it is asked next: in the middle of a batch there is no place for it.
  let edited: string | undefined;
  return {
    name: "todo command",
    async input(input) {
      const given = /^\/todo(?:\s+([\s\S]*))?$/.exec(input.text.trim());
      if (!given) return input;
      const { notice, list } = await answer(parts, given[1]?.trim() ?? "");
      edited = list ?? edited;
      parts.tell(notice);
      return { handled: true };
    },
    step() {
      if (edited !== undefined)
        parts.record({
          type: "custom_message",
          customType: "pith.todo-edited",
          content: fill(editedProse, { list: edited }).trim(),
          display: false,
        });
      edited = undefined;
      return { do: "go" };
    },
  };
}

/** What to say to the person, and the list when it was changed. */
async function answer(
  { cwd, store, record }: TodoCommandParts,
  rest: string,
): Promise<{ notice: Notice; list?: string }> {
  const whole = todoToMarkdown(store.all());
  if (rest === "") return { notice: { level: "info", text: whole || "The todo list is empty." } };
  const [, verb, name = ""] = /^(export|import)\s+(.+)$/.exec(rest) ?? [];
  const path = resolve(cwd, name);
  if (verb === "export") {
    const written = await writeWhole(path, Buffer.from(`${whole}\n`));
    return {
      notice: written.ok
        ? { level: "info", text: `The todo list is in ${path}.` }
        : { level: "warn", text: written.message },
    };
  }
  const file = verb === "import" ? readWhole(path) : undefined;
  if (file && !file.ok) return { notice: { level: "warn", text: file.message } };
  const changed = changeOf(store.current(), file ? file.value.bytes.toString() : rest);
  if (typeof changed === "string") return { notice: { level: "warn", text: changed } };
  store.save(changed, "further");
  record({ type: "custom", customType: "user_todo_edit", data: { phases: changed } });
  const list = todoToMarkdown(changed) || "(empty)";
  return { notice: { level: "info", text: list }, list };
}

function changeOf(phases: TodoPhase[], rest: string): TodoPhase[] | string {
  if (rest === "clear") return [];
  const [, verb = "", task = ""] = /^(\w+)(?:\s+([\s\S]+))?$/.exec(rest) ?? [];
  const op = verbs[verb]?.(task.trim(), phases);
  if (op) {
    const { phases: next, errors } = applyTodo(phases, [op]);
    return errors.length > 0 ? errors.join("; ") : onlyTasks(next, () => true);
  }
  const read = markdownToTodo(rest);
  return read.length > 0
    ? read
    : "Usage: /todo, /todo add|start|done|drop|rm <task>, /todo clear, /todo export|import <file>, or /todo followed by a Markdown checklist.";
}

const verbs: Record<string, (task: string, phases: readonly TodoPhase[]) => TodoOp> = {
  add: (task, phases) => ({ op: "append", phase: phases.at(-1)?.name ?? "Todos", items: task === "" ? [] : [task] }),
  start: (task) => ({ op: "start", task }),
  done: (task) => ({ op: "done", task }),
  drop: (task) => ({ op: "drop", task }),
  rm: (task) => ({ op: "rm", task }),
};
