import { resolve } from "node:path";
import type { EntryDraft, Hook } from "@pith/agent";
import { readWhole, writeWhole } from "@pith/host";
import { fill, realPath } from "@pith/kit";
import { type Command, type Ending, show } from "../../command/command.ts";
import editedProse from "./edited.md" with { type: "text" };
import { applyTodo, onlyTasks, type TodoOp, type TodoPhase } from "./list.ts";
import { markdownToTodo, todoToMarkdown } from "./markdown.ts";
import type { TodoStore } from "./store.ts";

interface TodoSources {
  cwd: string;
  store: TodoStore;
  record(draft: EntryDraft): void;
  /** Whether a turn runs. */
  busy(): boolean;
}

const usage = "[add|start|done|drop|rm <task> | clear | export|import <file> | <a Markdown checklist>]";

/**
 * `/todo` for people: alone it shows the list as Markdown, closed tasks included; followed by a Markdown checklist it
 * replaces the list. The model is told of changes; in the middle of a batch there is no place for it before the next
 * step.
 */
export function todoCommand(sources: TodoSources): { command: Command; hook: Hook } {
  let edited: string | undefined;
  const tell = () => {
    if (edited !== undefined)
      sources.record({
        type: "custom_message",
        customType: "pith.todo-edited",
        content: fill(editedProse, { list: edited }).trim(),
        display: false,
      });
    edited = undefined;
  };
  return {
    command: {
      name: "todo",
      about: "the task list; changes it when told how",
      usage,
      when: "any time",
      complete: (words) =>
        [...Object.keys(verbs), "clear", "export", "import"].filter((verb) => verb.startsWith(words)),
      async run(words) {
        const { ending, list } = await answer(sources, words);
        edited = list ?? edited;
        if (!sources.busy()) tell();
        return ending;
      },
    },
    hook: {
      name: "todo command",
      step() {
        tell();
        return { do: "go" };
      },
      idle: tell,
    },
  };
}

/** What to show to the person, and the list when it was changed. */
async function answer({ cwd, store, record }: TodoSources, words: string): Promise<{ ending: Ending; list?: string }> {
  const whole = todoToMarkdown(store.all());
  if (words === "") return { ending: show(whole || "The todo list is empty.") };
  const [, verb, name = ""] = /^(export|import)\s+(.+)$/.exec(words) ?? [];
  const path = resolve(cwd, name);
  if (verb === "export") {
    const written = await writeWhole(path, Buffer.from(`${whole}\n`));
    return { ending: written.ok ? show(`The todo list is in ${path}.`) : show(written.message, "failed") };
  }
  const file = verb === "import" ? readWhole(realPath(path)) : undefined;
  if (file && !file.ok) return { ending: show(file.message, "failed") };
  const changed = changeOf(store, file ? file.value.bytes.toString() : words);
  if (typeof changed === "string") return { ending: show(changed, "failed") };
  store.save(changed.phases, changed.how);
  record({ type: "custom", customType: "user_todo_edit", data: { phases: changed.phases } });
  return {
    ending: show(todoToMarkdown(store.all()) || "(empty)"),
    list: todoToMarkdown(changed.phases) || "(empty)",
  };
}

interface Change {
  phases: TodoPhase[];
  how: "fresh" | "further";
}

/** A whole list takes the place of all there was, also of what was closed in earlier runs. */
function changeOf(store: TodoStore, rest: string): Change | string {
  if (rest === "clear") return { phases: [], how: "fresh" };
  const [, verb = "", task = ""] = /^(\w+)(?:\s+([\s\S]+))?$/.exec(rest) ?? [];
  if (Object.hasOwn(verbs, verb)) {
    const change = (phases: TodoPhase[], how: Change["how"]): Change | string => {
      const op = verbs[verb]?.(task.trim(), phases);
      const { phases: next, errors } = applyTodo(phases, op ? [op] : []);
      return errors.length > 0 ? errors.join("; ") : { phases: onlyTasks(next, () => true), how };
    };
    const changed = change(store.current(), "further");
    // A task that is shown can be named, also one that was closed in an earlier run.
    const whole = typeof changed === "string" ? change(store.all(), "fresh") : changed;
    return typeof whole === "string" ? changed : whole;
  }
  const read = markdownToTodo(rest);
  return read.length > 0 ? { phases: read, how: "fresh" } : `Usage: /todo ${usage}`;
}

const verbs: Record<string, (task: string, phases: readonly TodoPhase[]) => TodoOp> = {
  add: (task, phases) => ({ op: "append", phase: phases.at(-1)?.name ?? "Todos", items: task === "" ? [] : [task] }),
  start: (task) => ({ op: "start", task }),
  done: (task) => ({ op: "done", task }),
  drop: (task) => ({ op: "drop", task }),
  rm: (task) => ({ op: "rm", task }),
};
