import { type EntryDraft, type Hook, type Notice, perTurn } from "@pith/agent";
import { fill, plural } from "@pith/kit";
import failedProse from "./error-reminder.md" with { type: "text" };
import { isOpen, type TodoTask } from "./list.ts";
import openProse from "./reminder.md" with { type: "text" };
import type { TodoStore } from "./store.ts";

interface ReminderSources {
  store: TodoStore;
  /** Reminders per turn about tasks that are left open. */
  max: number;
  record(draft: EntryDraft): void;
  tell(notice: Notice): void;
}

/**
 * Says once that an update of the list failed, before the model is asked again; and asks on when the model stops
 * although tasks are open, as long as it does something about it.
 */
export function todoReminder({ store, max, record, tell }: ReminderSources): Hook {
  let failed = false;
  const reminded = perTurn(() => ({ count: 0, step: 0 }));
  return {
    name: "todo",
    result(view, outcome) {
      if (view.tool.name !== "todo") return outcome;
      failed = outcome.failed === true;
      if (failed) tell({ level: "warn", text: "Todo update failed; the list that is shown may be behind." });
      return outcome;
    },
    step() {
      if (failed)
        record({
          type: "custom_message",
          customType: "todo-error-reminder",
          content: failedProse.trim(),
          display: false,
        });
      failed = false;
      return { do: "go" };
    },
    settle(turn) {
      const open = store.current().flatMap(({ tasks }) => tasks.filter(isOpen));
      const memory = reminded(turn);
      // A first answer without any work, or a second one right after a reminder, is meant as it is.
      const idle = turn.step <= memory.step + 1;
      if (open.length === 0 || idle || memory.count >= max) return { do: "done" };
      memory.count++;
      memory.step = turn.step;
      return {
        do: "go on",
        note: fill(openProse, { count: plural(open.length, "task"), tasks: open.map(row).join("\n") }).trim(),
      };
    },
  };
}

const row = ({ content, status }: TodoTask): string =>
  `- ${content}${status === "in_progress" ? " (in progress)" : ""}`;
