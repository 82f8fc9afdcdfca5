import { resolve } from "node:path";
import type { Hook } from "@pith/agent";
import { readWhole, writeWhole } from "@pith/host";
import { fill, realPath } from "@pith/kit";
import { type Command, type Ending, show } from "../../command/command.ts";
import type { Hall } from "../../hall/hall.ts";
import editedProse from "./edited.md" with { type: "text" };
import { applyTodo, onlyTasks, type TodoOp, type TodoPhase } from "./list.ts";
import { markdownToTodo, todoToMarkdown } from "./markdown.ts";
import type { TodoStore } from "./store.ts";

interface TodoSources extends Pick<Hall, "cwd" | "channel"> {
  store: TodoStore;
}

const usage = "[add|start|done|drop|rm <task> | clear | export|import <file> | <a Markdown checklist>]";

/** The command `/todo`, which shows and changes the list, and the hook that tells the model of changes. */
export function todoCommand(sources: TodoSources): { command: Command; hook: Hook } {
  let edited: string | undefined;
  const tell = () => {
    const content = edited !== undefined && fill(editedProse, { list: edited }).trim();
    if (content)
      sources.channel.record({ type: "custom_message", customType: "pith.todo-edited", content, display: false });
    edited = undefined;
  };
  return {
    command: {
      name: "todo",
      about: "show or change the task list",
      usage,
      complete: (words) =>
        [...Object.keys(verbs), "clear", "export", "import"].filter((verb) => verb.startsWith(words)),
      async run(words) {
        const { ending, list } = await answer(sources, words);
        edited = list ?? edited;
        if (!sources.channel.running) tell();
        return ending;
      },
    },
    hook: {
      name: "todo command",
      step: tell,
      idle: tell,
    },
  };
}

/** Shows the list to the person, or changes it and returns the new one. */
async function answer({ cwd, store, channel }: TodoSources, words: string): Promise<{ ending: Ending; list?: string }> {
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
  channel.record({ type: "custom", customType: "user_todo_edit", data: { phases: changed.phases } });
  const list = todoToMarkdown(changed.phases) || "(empty)";
  return { ending: show(todoToMarkdown(store.all()) || "(empty)"), list };
}

interface Change {
  phases: TodoPhase[];
  how: "fresh" | "further";
}

/** The list after a verb; or a checklist that replaces all of it, also tasks that were closed earlier. */
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
    // Tasks that were closed in an earlier process can be named, too.
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
