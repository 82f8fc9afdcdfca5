import type { TodoPhase, TodoStatus } from "../part/todo/list.ts";

const signs: Record<string, TodoStatus> = { ".": "pending", "/": "in_progress", x: "completed", "-": "abandoned" };
/** `A: /a, .b, xc` is a phase A with a task in progress, one that waits and one that is done. */
export const list = (text: string): TodoPhase[] => {
  const phases: TodoPhase[] = [];
  for (const line of text.split("|")) {
    const [name = "", rest = ""] = line.split(":").map((part) => part.trim());
    phases.push({
      name,
      tasks: rest.split(",").map((task) => {
        const [sign = "", ...content] = task.trim();
        return { content: content.join(""), status: signs[sign] ?? "pending" };
      }),
    });
  }
  return phases;
};
