import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { linesOf, type View } from "./draw.ts";

const maxTasks = 8;
const signs = { pending: "☐", in_progress: "▶", completed: "☑", abandoned: "✗" };

/** The list as a tree; the first tasks, from one before the one in progress. */
export const todo: View<Data["todo"]> = ({ phases }, _, draw) => {
  const tasks = phases.flatMap(({ name, tasks }) => tasks.map((task) => ({ ...task, phase: name })));
  const active = tasks.findIndex(({ status }) => status === "in_progress");
  const from = Math.max(0, Math.min(active - 1, tasks.length - maxTasks));
  const shown = tasks.slice(from, from + maxTasks);
  const rest = tasks.length - shown.length;
  const rows = shown.flatMap((task, i) => {
    const row = linesOf(`  ${signs[task.status]} ${task.content}`, draw).map((line) =>
      task.status === "pending" || task.status === "in_progress" ? line : draw.theme.dim(line),
    );
    return task.phase === shown[i - 1]?.phase ? row : [...linesOf(task.phase, draw), ...row];
  });
  return tasks.length === 0
    ? [draw.theme.dim("no tasks")]
    : [...rows, ...(rest > 0 ? [draw.theme.dim(`… ${plural(rest, "more task")}`)] : [])];
};
