import type { Entry, EntryDraft } from "@pith/agent";

/** Why a model that has stopped is asked on: it called nothing, a change is due, or it never said what it did. */
export type Nudge = "nudge" | "write" | "words";

const type = "pith.nudge";

export const nudgeDraft = (kind: Nudge): EntryDraft => ({ type: "custom", customType: type, data: { kind } });

export function nudgeIn(entry: Entry): Nudge | undefined {
  if (entry.type !== "custom" || entry.customType !== type) return undefined;
  const { kind } = (entry.data ?? {}) as { kind?: unknown };
  return kind === "nudge" || kind === "write" || kind === "words" ? kind : undefined;
}
