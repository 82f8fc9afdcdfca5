import type { EntryDraft, Outcome } from "@pith/agent";
import type { Hall } from "../../hall/hall.ts";

/** Sends a sub-agent that no model has asked for: it is seen in a panel while it works, and what it says comes back. */
export async function sendBeside(
  { call, channel }: Pick<Hall, "call" | "channel">,
  key: string,
  input: { task: string; title: string; mode: string },
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome = await call("run_subagent", input, signal, (event) => {
    if (event.type !== "progress") return;
    const { kind, data, text } = event.part;
    channel.announce({ type: "panel", key, panel: { slot: "above", kind, data, text } });
  });
  channel.announce({ type: "panel", key });
  return outcome;
}

/** What the model is told of it; what strangers wrote stays marked. */
export const reportNote = (content: string, { meta }: Pick<Outcome, "meta">): EntryDraft => ({
  type: "custom_message",
  customType: "pith.note",
  content: content.trim(),
  display: false,
  ...(meta?.origin && { details: { meta: { origin: meta.origin } } }),
});
