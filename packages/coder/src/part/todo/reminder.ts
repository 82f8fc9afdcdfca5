import { type Channel, type Hook, perTurn } from "@pith/agent";
import { fill, plural } from "@pith/kit";
import failedProse from "./error-reminder.md" with { type: "text" };
import { isOpen, type TodoTask } from "./list.ts";
import openProse from "./reminder.md" with { type: "text" };
import type { TodoStore } from "./store.ts";

/**
 * Reminds the model after a failed update of the list, and when it stops while tasks are open: `max` times per turn,
 * and only if it did something since.
 */
export function todoReminder(store: TodoStore, channel: Pick<Channel, "record" | "notify">, max: number): Hook {
  let failed = false;
  const reminded = perTurn(() => ({ count: 0, step: 0 }));
  return {
    name: "todo",
    result(view, outcome) {
      if (view.tool.name !== "todo") return;
      failed = outcome.failed === true;
      if (failed) channel.notify({ level: "warn", text: "Todo update failed; the list that is shown may be behind." });
    },
    step() {
      const content = failedProse.trim();
      if (failed)
        channel.record({ type: "custom_message", customType: "todo-error-reminder", content, display: false });
      failed = false;
    },
    settle(turn) {
      const open = store.current().flatMap(({ tasks }) => tasks.filter(isOpen));
      const memory = reminded(turn);
      // An answer without any work, at first or right after a reminder, stands.
      const idle = turn.step <= memory.step + 1;
      if (open.length === 0 || idle || memory.count >= max) return { do: "done" };
      memory.count++;
      memory.step = turn.step;
      const note = fill(openProse, { count: plural(open.length, "task"), tasks: open.map(row).join("\n") }).trim();
      return { do: "go on", note };
    },
  };
}

const row = ({ content, status }: TodoTask): string =>
  `- ${content}${status === "in_progress" ? " (in progress)" : ""}`;
