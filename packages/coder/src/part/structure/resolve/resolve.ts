import {
  type Intent,
  isOutcome,
  type Outcome,
  type PrepareOptions,
  refusal,
  schema as s,
  type Tool,
} from "@pith/agent";
import type { Pending, PendingAction } from "../../../session/pending.ts";
import about from "./resolve.md" with { type: "text" };

const input = s.object({ action: s.oneOf(["apply", "discard"]), reason: s.string().min(1) });
type Input = s.Infer<typeof input>;

/** Decides about what was shown last. */
export const resolve = (pending: Pending): Tool<Input> => ({
  name: "resolve",
  label: "Apply or discard a preview",
  about,
  input,
  async prepare({ action, reason }, how) {
    const { top } = pending;
    if (!top) return refusal("Nothing waits to be applied or discarded. A preview has to come first.");
    if (action === "apply") return prepareApply(pending, top, how);
    const text = `Discarded: ${top.label}. Nothing was changed. Reason: ${reason}`;
    return decided(pending, top, { kind: "prose", data: {}, text });
  },
});

/** Has the tool of the preview work it out again, from the world as it is now. */
async function prepareApply(pending: Pending, top: PendingAction, how: PrepareOptions): Promise<Intent> {
  const intent = await pending.prepare(top, how);
  if (isOutcome(intent)) return decided(pending, top, intent);
  return { ...intent, run: async (call) => (pending.take(top) ? intent.run(call) : overtaken) };
}

/** Takes the preview off and gives the outcome: it is decided once, however that ends. */
const decided = (pending: Pending, top: PendingAction, outcome: Outcome): Intent => ({
  effect: "read",
  paths: [],
  run: async () => (pending.take(top) ? outcome : overtaken),
});

const overtaken = refusal("Another preview has come since. Nothing was applied or discarded; decide about that one.");
