import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import type { Pending } from "../../behaviour/pending.ts";
import about from "./resolve.md" with { type: "text" };

const input = s.object({ action: s.oneOf(["apply", "discard"]), reason: s.string().min(1) });
type Input = s.Infer<typeof input>;

export function resolve(pending: Pending): Tool<Input> {
  return tool({
    name: "resolve",
    about,
    input,
    effect: ({ action }) => (action === "apply" ? "write" : "read"),
    alone: true,
    paths: ({ action }) => (action === "apply" ? [...(pending.top?.paths ?? [])] : []),
    async run({ action, reason }, { signal }): Promise<Outcome> {
      const taken = pending.take();
      if (!taken) return refusal("Nothing waits to be applied or discarded. A preview has to come first.");
      if (action === "apply") return taken.apply(signal);
      return { kind: "prose", data: {}, text: `Discarded: ${taken.label}. Nothing was changed. Reason: ${reason}` };
    },
  });
}
