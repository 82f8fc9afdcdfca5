import { type Hook, perTurn } from "@pith/agent";
import { fill } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";
import { checkpoint } from "./checkpoint.ts";
import { type Checkpoints, sessionCheckpoints } from "./checkpoints.ts";
import { rewind as rewindTool } from "./tool.ts";
import warning from "./warning.md" with { type: "text" };

/** The tools `checkpoint` and `rewind`. */
export const rewind: MakePart<"settings" | "tree" | "channel" | "clock"> = ({ settings, tree, channel, clock }) => {
  if (!settings.get("checkpoint.enabled")) return undefined;
  const checkpoints = sessionCheckpoints(tree, (draft) => channel.record(draft));
  return {
    name: "rewind",
    tools: [checkpoint({ checkpoints, clock }), rewindTool(checkpoints)],
    hooks: [rewindGuard(checkpoints)],
    keeps: { state: ["pith.checkpoint"] },
  };
};

/** Warnings to a model that stops before the rewind. */
const maxWarnings = 3;

/** Rewinds the conversation when that was asked for, and lets no turn end with an open checkpoint. */
export function rewindGuard(checkpoints: Checkpoints): Hook {
  const warned = perTurn(() => ({ times: 0 }));
  return {
    name: "rewind",
    step: () => void checkpoints.goBack(),
    settle(turn) {
      const active = checkpoints.active();
      const memory = warned(turn);
      if (!active || memory.times >= maxWarnings) return { do: "done" };
      memory.times++;
      return { do: "go on", note: fill(warning, { goal: active.goal }).trim() };
    },
  };
}
