import type { Entry, EntryDraft } from "@pith/agent";

const state = "need_fixes";

/** A note that tells the model what is wrong; `asksForFixes` recognizes it. */
export const fixesNote = (content: string): readonly EntryDraft[] => [
  { type: "custom_message", customType: "pith.note", content, display: true, details: { state } },
];

export const asksForFixes = (entry: Entry): boolean =>
  entry.type === "custom_message" && (entry.details as { state?: unknown } | undefined)?.state === state;
