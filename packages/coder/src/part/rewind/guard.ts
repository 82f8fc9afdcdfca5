import type { Behaviour } from "@pith/agent";
import { fill } from "@pith/kit";
import warning from "../prompts/rewind-warning.md" with { type: "text" };
import type { Checkpoints } from "./checkpoint.ts";

/** How often a model that stops inside a checkpoint is sent on. */
const maxWarnings = 3;

/** Takes the conversation back when that was asked for, and does not let a turn end inside a checkpoint. */
export function rewindGuard(checkpoints: Checkpoints): Behaviour {
  const warned = new WeakMap<AbortSignal, number>();
  return {
    name: "rewind",
    step() {
      checkpoints.goBack();
      return { do: "go" };
    },
    settle({ signal }) {
      const active = checkpoints.active();
      const count = warned.get(signal) ?? 0;
      if (!active || count >= maxWarnings) return { do: "done" };
      warned.set(signal, count + 1);
      return { do: "go on", note: fill(warning, { goal: active.goal }).trim() };
    },
  };
}
