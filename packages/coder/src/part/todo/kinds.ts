import { type ResultKind, schema as s } from "@pith/agent";
import { plural } from "@pith/kit";
import type { TodoPhase } from "./list.ts";
import type { TodoStore } from "./store.ts";

export interface TodoData {
  phases: TodoPhase[];
  storage: TodoStore["storage"];
  /** Tasks that this call completed. */
  completedTasks?: { phase: string; content: string }[];
}

export const kinds: { todo: ResultKind<TodoData> } = {
  todo: {
    schema: () =>
      s.object({
        phases: s.array(
          s.object({
            name: s.string(),
            tasks: s.array(s.object({ content: s.string(), status: s.string() })),
          }),
        ),
        storage: s.string(),
        completedTasks: s.array(s.unknown()).optional(),
      }),
    brief({ phases }) {
      const tasks = phases.flatMap((phase) => phase.tasks);
      const done = tasks.filter(({ status }) => status === "completed").length;
      return tasks.length === 0 ? "no tasks" : `${done} of ${plural(tasks.length, "task")} done`;
    },
  },
};
