import { refusal, schema as s, type Tool } from "@pith/agent";
import type { Checkpoints } from "./checkpoints.ts";
import about from "./tool.md" with { type: "text" };

const input = s.object({ report: s.string().min(1) });
type Input = s.Infer<typeof input>;

export function rewind(checkpoints: Checkpoints | undefined): Tool<Input> {
  return {
    name: "rewind",
    about,
    input,
    prepare({ report }) {
      if (!checkpoints?.active()) return refusal("There is no open checkpoint to go back to.");
      if (report.trim() === "") return refusal("The report must not be empty: it is all that stays.");
      return {
        effect: "read",
        paths: [],
        async run() {
          checkpoints.leave(report.trim());
          const text = "Rewinding to the checkpoint; the report takes the place of what came after it.";
          return { kind: "prose", data: {}, text };
        },
      };
    },
  };
}
