import type { Behaviour } from "@pith/agent";
import go from "../prompts/truncated.md" with { type: "text" };

/** How often in a row an answer that was cut is asked on. */
const most = 3;

/** An answer that ran into the output limit is asked on; unless it is the whole context that is full. */
export function length(): Behaviour {
  const asked = new WeakMap<AbortSignal, number>();
  return {
    name: "length",
    settle({ reply, model, signal }) {
      const count = reply?.stopReason === "length" ? (asked.get(signal) ?? 0) : most;
      asked.set(signal, reply?.stopReason === "length" ? count + 1 : 0);
      if (count >= most || (reply?.usage.totalTokens ?? 0) > 0.9 * model.contextWindow) return { do: "done" };
      return { do: "go on", note: go.trim() };
    },
  };
}
