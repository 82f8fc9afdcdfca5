import type { Keeps } from "../../hall/keeping.ts";
import type { MakePart } from "../../hall/part.ts";
import { todoCommand } from "./command.ts";
import { isOpen } from "./list.ts";
import { todoToMarkdown } from "./markdown.ts";
import { todoReminder } from "./reminder.ts";
import { sessionTodos } from "./store.ts";
import { todo as todoTool } from "./tool.ts";

/** The task list: the tool of the model, `/todo`, and reminders for the model. */
export const todo: MakePart<"settings" | "tree" | "channel" | "cwd" | "journal"> = (hall) => {
  const { settings, tree, channel, cwd, journal } = hall;
  if (!settings.get("todo.enabled")) return undefined;
  const store = sessionTodos(tree, channel, journal.file === undefined ? "memory" : "session");
  const { command, hook } = todoCommand({ cwd, store, channel });
  const reminder = todoReminder(store, channel, settings.get("todo.reminders"));
  const keeps: Keeps = {
    state: ["pith.todo"],
    words: () => {
      const phases = store.current();
      return phases.length === 0 ? [] : [{ title: "Tasks", text: todoToMarkdown(phases) }];
    },
    open: () => store.current().some(({ tasks }) => tasks.some(isOpen)),
  };
  return { name: "todo", tools: [todoTool(store)], commands: [command], hooks: [hook, reminder], keeps };
};
