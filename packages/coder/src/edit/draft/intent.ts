import { type Intent, type Outcome, refusal, type Touch } from "@pith/agent";
import type { Draft, Editing } from "./file.ts";
import { changeOf, place, show } from "./place.ts";
import { refusedText, withoutHunks } from "./refuse.ts";
import { openReport, type ReportHow } from "./report.ts";

/** What an edit comes down to: changes of files that are made together. */
export interface EditPlan {
  drafts: Draft[];
  warnings: string[];
}

/** How a planned edit is told of, and what a person refused of it. */
export interface IntentHow extends ReportHow {
  without: readonly string[];
}

/** The intent of a planned edit: it makes all of its changes or none. */
export function editIntent(editing: Editing, { drafts, warnings }: EditPlan, how: IntentHow): Intent | Outcome {
  const left = withoutHunks(drafts, how.without);
  if (!left.ok) return refusal(left.message);
  if (left.value.drafts.length === 0) return allRefused;
  const { drafts: kept, refused } = left.value;
  const said = refused.length > 0 ? [...warnings, refusedText(refused)] : warnings;
  const looked = openReport(how).then(({ look, tell }) => {
    show(kept, look);
    return tell;
  });
  looked.catch(() => {});
  return {
    ...placing(kept),
    async run() {
      const tell = await looked;
      const done = await place(editing, kept);
      return done.ok ? tell(done.value, said) : refusal(`${done.message}. Nothing was changed.`);
    },
  };
}

/** What is judged and shown of drafts that are placed. `shown` where they are shown otherwise than they are made. */
export const placing = (drafts: readonly Draft[], shown = drafts): Omit<Intent, "run"> => ({
  effect: "write",
  paths: touchesOf(drafts),
  exact: true,
  changes: async () => shown.filter(({ movedTo }) => movedTo === undefined).map(changeOf),
});

/** Each file once, with the real path that it was found at: no other is written. */
function touchesOf(drafts: readonly Draft[]): Touch[] {
  const touches = new Map<string, Touch>();
  for (const { file } of drafts)
    touches.set(file.target.path, { effect: "write", path: file.target.path, real: file.target.real });
  return [...touches.values()];
}

export const allRefused = refusal("The user refused all of this edit. Nothing was changed.");
