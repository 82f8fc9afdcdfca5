import type { EntryDraft, Hook } from "@pith/agent";
import { fill } from "@pith/kit";
import { keyOf, type Pending, type PendingAction } from "../../session/pending.ts";
import reminder from "./resolve-reminder.md" with { type: "text" };

/**
 * Makes the model decide: the first request after something was shown must call `resolve`, where the vendor can be told
 * so, and a note says it in any case; one more follows when the model stops without a decision.
 */
export function pendingReminder(pending: Pending, record: (draft: EntryDraft) => void): Hook {
  const reminded = new Set<string>();
  const insisted = new Set<string>();
  let demanded = false;
  const about = ({ tool, label }: PendingAction) => fill(reminder, { tool, label }).trim();
  return {
    name: "pending",
    step() {
      const action = pending.top;
      const first = action !== undefined && !reminded.has(keyOf(action));
      if (first) {
        reminded.add(keyOf(action));
        record({ type: "custom_message", customType: "resolve-reminder", content: about(action), display: false });
      }
      demanded = first && pending.isFresh(action);
      return { do: "go" };
    },
    context: (request) =>
      demanded && request.tools.some(({ name }) => name === "resolve") ? { ...request, demand: "resolve" } : request,
    settle() {
      const action = pending.top;
      if (!action || insisted.has(keyOf(action))) return { do: "done" };
      insisted.add(keyOf(action));
      return { do: "go on", note: about(action) };
    },
  };
}
