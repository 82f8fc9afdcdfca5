import { type Intent, type Outcome, refusal, type Touch } from "@pith/agent";
import type { Draft, Editing } from "./file.ts";
import { changeOf, type FileDone, place, show } from "./place.ts";
import { refusedText, withoutHunks } from "./refuse.ts";
import { openReport, type ReportHow } from "./report.ts";

/** Changes of files that are made together. */
export interface EditPlan {
  drafts: Draft[];
  warnings: string[];
}

export interface IntentHow extends ReportHow {
  /** Names of hunks that a person refused. */
  without: readonly string[];
}

/** The intent of a planned edit: it makes all of its changes or none. */
export function editIntent(editing: Editing, { drafts, warnings }: EditPlan, how: IntentHow): Intent | Outcome {
  const untouched = "Nothing was changed.";
  return draftIntent(editing, drafts, { without: how.without, untouched }, (kept) => {
    const looked = openReport(how).then(({ look, tell }) => {
      show(kept, look);
      return tell;
    });
    looked.catch(() => {});
    return async ({ done, refused }) => (await looked)(done, [...warnings, ...refused]);
  });
}

/** The result of drafts. */
export interface Made {
  drafts: readonly Draft[];
  done: readonly FileDone[];
  /** A sentence about hunks that a person refused, where there are any. */
  refused: readonly string[];
}

/**
 * The intent to make all drafts or none, without the hunks that a person refused. `prepare` takes the drafts that are
 * left, and gives the words for them once they are made. `untouched` ends each refusal.
 */
export function draftIntent(
  editing: Editing,
  drafts: readonly Draft[],
  { without, untouched = "Nothing was written." }: { without: readonly string[]; untouched?: string },
  prepare: (kept: readonly Draft[]) => (made: Made) => Outcome | Promise<Outcome>,
): Intent | Outcome {
  const left = withoutHunks(drafts, without);
  if (!left.ok) return refusal(`${left.message} ${untouched}`);
  const { drafts: kept, refused } = left.value;
  if (kept.length === 0) return allRefused;
  const tell = prepare(kept);
  return {
    ...placing(kept),
    async run() {
      const done = await place(editing, kept);
      return done.ok
        ? tell({ drafts: kept, done: done.value, refused: refusedText(refused) })
        : refusal(`${done.message}. ${untouched}`);
    },
  };
}

/** The fields of an intent to place drafts; `shown` where they are shown otherwise than they are made. */
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
