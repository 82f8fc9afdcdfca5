import type { Behaviour, Draft, Outcome } from "@pith/agent";
import { fill } from "@pith/kit";
import reminder from "../prompts/resolve-reminder.md" with { type: "text" };

/** What a tool has shown and not done. */
export interface PendingAction {
  tool: string;
  /** In a few words, for people and for the model. */
  label: string;
  /** What it would write. */
  paths: readonly string[];
  apply(signal: AbortSignal): Promise<Outcome>;
}

/** Shown actions that wait for a decision, the newest first. They end with the process: a preview of yesterday is no plan for today. */
export class Pending {
  readonly #stack: PendingAction[] = [];

  push(action: PendingAction): void {
    this.#stack.push(action);
  }
  get top(): PendingAction | undefined {
    return this.#stack.at(-1);
  }
  /** Takes the newest; whatever becomes of it, it is decided once. */
  take(): PendingAction | undefined {
    return this.#stack.pop();
  }
}

/** Reminds the model, once per shown action, that it has to decide; and once more when it stops without a decision. */
export function pendingReminder(pending: Pending, record: (draft: Draft) => void): Behaviour {
  const reminded = new WeakSet<PendingAction>();
  const insisted = new WeakSet<PendingAction>();
  const about = ({ tool, label }: PendingAction) => fill(reminder, { tool, label }).trim();
  return {
    name: "pending",
    step() {
      const action = pending.top;
      if (action && !reminded.has(action)) {
        reminded.add(action);
        record({ type: "custom_message", customType: "resolve-reminder", content: about(action), display: false });
      }
      return { do: "go" };
    },
    settle() {
      const action = pending.top;
      if (!action || insisted.has(action)) return { do: "done" };
      insisted.add(action);
      return { do: "go on", note: about(action) };
    },
  };
}
