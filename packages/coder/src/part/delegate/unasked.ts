import type { EntryDraft, Outcome } from "@pith/agent";
import type { Hall } from "../../hall/hall.ts";

/** Runs a sub-agent that no model has asked for, and shows it in a panel while it works. */
export async function runUnasked(
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

/** A note for the model with the report of a sub-agent; text of strangers stays marked. */
export const reportNote = (content: string, { meta }: Pick<Outcome, "meta">): EntryDraft => ({
  type: "custom_message",
  customType: "pith.note",
  content: content.trim(),
  display: false,
  ...(meta?.origin && { details: { meta: { origin: meta.origin } } }),
});
