import type { Entry, EntryDraft } from "@pith/agent";
import { recordOf } from "@pith/kit";

/** The word by which a model says that its task is done. */
export const doneWord = "[TASK_COMPLETE]";

/** Reasons to ask a model on that has stopped: it called no tool, a change is due, or it wrote no final text. */
const nudges = ["nudge", "write", "words"] as const;
export type Nudge = (typeof nudges)[number];

const type = "pith.nudge";

export const nudgeDraft = (kind: Nudge): EntryDraft => ({ type: "custom", customType: type, data: { kind } });

export function nudgeIn(entry: Entry): Nudge | undefined {
  if (entry.type !== "custom" || entry.customType !== type) return undefined;
  return nudges.find((kind) => kind === recordOf(entry.data).kind);
}
