import type { Entry, EntryDraft } from "@pith/agent";
import { recordOf } from "@pith/kit";

/** The word by which a model says that its task is done. */
export const doneWord = "[TASK_COMPLETE]";

/** The reason to ask a model on that has stopped: it called no tool, a change is due, or it wrote no final text. */
export type Nudge = "nudge" | "write" | "words";

const type = "pith.nudge";

export const nudgeDraft = (kind: Nudge): EntryDraft => ({ type: "custom", customType: type, data: { kind } });

export function nudgeIn(entry: Entry): Nudge | undefined {
  if (entry.type !== "custom" || entry.customType !== type) return undefined;
  const { kind } = recordOf(entry.data);
  return kind === "nudge" || kind === "write" || kind === "words" ? kind : undefined;
}
