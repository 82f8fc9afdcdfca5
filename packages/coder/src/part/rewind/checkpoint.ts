import { refusal, schema as s, type Tool } from "@pith/agent";
import type { Clock } from "@pith/kit";
import about from "./checkpoint.md" with { type: "text" };
import type { Checkpoints } from "./checkpoints.ts";

const input = s.object({ goal: s.string().min(1).describe("What is to be found out") });
type Input = s.Infer<typeof input>;

export interface CheckpointOptions {
  /** Undefined in a sub-agent. */
  checkpoints: Checkpoints | undefined;
  clock: Clock;
}

export function checkpoint({ checkpoints, clock }: CheckpointOptions): Tool<Input> {
  return {
    name: "checkpoint",
    companions: ["rewind"],
    about,
    input,
    prepare({ goal }) {
      if (!checkpoints) return refusal("Only the main conversation has checkpoints.");
      if (checkpoints.active()) return refusal("There is an open checkpoint; end it with rewind first.");
      return {
        effect: "read",
        paths: [],
        async run() {
          const startedAt = new Date(clock.now()).toISOString();
          checkpoints.open({ goal, startedAt });
          const next = "Look around, then end it with rewind and your report.";
          const text = `The checkpoint is set, to find out: ${goal}\n${next}`;
          return { kind: "prose", data: { goal, startedAt }, text };
        },
      };
    },
  };
}
