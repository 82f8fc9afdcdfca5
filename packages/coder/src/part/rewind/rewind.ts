import type { MakePart } from "../../hall/part.ts";
import { checkpoint } from "./checkpoint.ts";
import { sessionCheckpoints } from "./checkpoints.ts";
import { rewindGuard } from "./guard.ts";
import { rewind as rewindTool } from "./tool.ts";

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
