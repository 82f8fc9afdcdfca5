import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import type { Glyphs } from "@pith/tui/theme";
import { plainLine, rowOf, type View } from "../canvas.ts";

const maxTasks = 8;
const signs: Record<string, "unchecked" | "pointer" | "ok" | "bad"> = {
  pending: "unchecked",
  in_progress: "pointer",
  completed: "ok",
  abandoned: "bad",
} satisfies Record<Data["todo"]["phases"][number]["tasks"][number]["status"], keyof Glyphs>;

/** The task list by phases, from the task before the one in progress. */
export const todo: View<Data["todo"]> = {
  rows(data, shown, canvas) {
    const { glyph } = canvas.theme;
    const tasks = data.phases.flatMap(({ name, tasks }) => tasks.map((task) => ({ ...task, phase: name })));
    if (tasks.length === 0) return [rowOf(shown.brief, canvas, "dim")];
    const active = tasks.findIndex(({ status }) => status === "in_progress");
    const from = Math.max(0, Math.min(active - 1, tasks.length - maxTasks));
    const seen = tasks.slice(from, from + maxTasks);
    const rows = seen.flatMap((task, at) => {
      const open = task.status === "pending" || task.status === "in_progress";
      const sign = glyph[signs[task.status] ?? "unchecked"];
      const row = rowOf(`  ${sign} ${plainLine(task.content)}`, canvas, open ? "text" : "dim");
      return task.phase === seen[at - 1]?.phase ? [row] : [rowOf(plainLine(task.phase), canvas, "strong"), row];
    });
    const rest = tasks.length - seen.length;
    return rest === 0 ? rows : [...rows, rowOf(`${glyph.ellipsis} ${plural(rest, "more task")}`, canvas, "dim")];
  },
  // The list itself stands above what is typed.
  rest: (data, shown, canvas) => (Number.isFinite(canvas.height) ? [] : todo.rows(data, shown, canvas)),
};
