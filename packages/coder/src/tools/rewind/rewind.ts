import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import type { Checkpoints } from "../../behaviour/checkpoint.ts";
import about from "./rewind.md" with { type: "text" };

const input = s.object({ report: s.string().min(1) });
type Input = s.Infer<typeof input>;

export function rewind(checkpoints: Checkpoints | undefined): Tool<Input> {
  return tool({
    name: "rewind",
    about,
    input,
    effect: "read",
    alone: true,
    async run({ report }): Promise<Outcome> {
      if (!checkpoints?.active()) return refusal("No active checkpoint.");
      if (report.trim() === "") return refusal("The report must not be empty: it is all that stays.");
      checkpoints.leave(report.trim());
      return {
        kind: "prose",
        data: {},
        text: "Rewinding to the checkpoint; the report takes the place of what came after it.",
      };
    },
  });
}
