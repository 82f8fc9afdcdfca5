import { type Hook, perTurn } from "@pith/agent";
import { fill } from "@pith/kit";
import type { Checkpoints } from "./checkpoints.ts";
import warning from "./warning.md" with { type: "text" };

/** How often a model that stops inside a checkpoint is sent on. */
const maxWarnings = 3;

/** Takes the conversation back when that was asked for, and does not let a turn end inside a checkpoint. */
export function rewindGuard(checkpoints: Checkpoints): Hook {
  const warned = perTurn(() => ({ times: 0 }));
  return {
    name: "rewind",
    step() {
      checkpoints.goBack();
      return { do: "go" };
    },
    settle(turn) {
      const active = checkpoints.active();
      const memory = warned(turn);
      if (!active || memory.times >= maxWarnings) return { do: "done" };
      memory.times++;
      return { do: "go on", note: fill(warning, { goal: active.goal }).trim() };
    },
  };
}
