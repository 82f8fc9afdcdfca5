import { type Outcome, schema as s, type Tool } from "@pith/agent";
import { plural } from "@pith/kit";
import { applyTodo, isOpen, onlyTasks, type TodoOp, type TodoPhase, todoOps } from "./list.ts";
import { taskLine } from "./markdown.ts";
import type { TodoStore } from "./store.ts";
import about from "./tool.md" with { type: "text" };

const input = s.object({
  ops: s
    .array(
      s.object({
        op: s.oneOf(todoOps),
        list: s.array(s.object({ phase: s.string(), items: s.array(s.string()).min(1) })).optional(),
        task: s.string().optional(),
        phase: s.string().optional(),
        items: s.array(s.string()).min(1).optional(),
      }),
    )
    .min(1),
});
type Input = s.Infer<typeof input>;

export function todo(store: TodoStore): Tool<Input> {
  return {
    name: "todo",
    about,
    input,
    prepare: ({ ops }) => ({ effect: "read", paths: [], run: async () => run(store, ops as TodoOp[]) }),
  };
}

function run(store: TodoStore, ops: readonly TodoOp[]): Outcome<"todo"> {
  const before = store.current();
  const { phases, errors } = applyTodo(before, ops);
  const data = { phases, storage: store.storage };
  if (errors.length > 0) {
    const text = `Errors: ${errors.join("; ")}\nNothing was changed.\n\n${summary(phases, "empty")}`;
    return { kind: "todo", data, text, failed: true };
  }
  if (ops.every(({ op }) => op === "view")) return { kind: "todo", data, text: summary(phases, "empty") };
  store.save(phases, ops.some(({ op }) => op === "init") ? "fresh" : "further");
  const completedTasks = completions(before, phases);
  const all = completedTasks.length > 0 ? { ...data, completedTasks } : data;
  return { kind: "todo", data: all, text: summary(phases, "cleared") };
}

/** The tasks that were completed between two states. */
function completions(before: readonly TodoPhase[], after: readonly TodoPhase[]): { phase: string; content: string }[] {
  const completed = (phases: readonly TodoPhase[]) =>
    onlyTasks(phases, ({ status }) => status === "completed").flatMap(({ name, tasks }) =>
      tasks.map(({ content }) => ({ phase: name, content })),
    );
  const old = new Set(completed(before).map(({ content }) => content));
  return completed(after).filter(({ content }) => !old.has(content));
}

/** The open tasks, the state of the current phase, and the whole list. */
function summary(phases: readonly TodoPhase[], none: "cleared" | "empty"): string {
  const all = phases.flatMap(({ tasks }) => tasks);
  if (all.length === 0) return none === "cleared" ? "All tasks are taken off the list." : "There are no tasks.";
  const open = all.filter(isOpen);
  const at = phases.findIndex(({ tasks }) => tasks.some(({ status }) => status === "in_progress"));
  const current = phases[at];
  const closed = current?.tasks.filter((task) => !isOpen(task)).length ?? 0;
  return [
    open.length === 0
      ? "Nothing is left to do."
      : `${plural(open.length, "task")} left: ${open.map(({ content }) => content).join("; ")}`,
    ...(current
      ? [`Phase ${at + 1} of ${phases.length}, ${current.name}: ${closed} of ${current.tasks.length} closed`]
      : []),
    ...phases.flatMap(({ name, tasks }) => [name, ...tasks.map((task) => `  ${taskLine(task)}`)]),
  ].join("\n");
}
