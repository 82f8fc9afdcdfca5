import { type Intent, type Outcome, refusal } from "@pith/agent";
import { ok, type Result } from "@pith/kit";
import { allRefused, type IntentHow, placing } from "../draft/intent.ts";
import { refusedText, withoutHunks } from "../draft/refuse.ts";
import { openReport, type Report } from "../draft/report.ts";
import { type PatchEditing, type PatchPlan, planHunks } from "./plan.ts";
import { aftermath, type PatchDone, type PatchFailure, placePatch, summary } from "./run.ts";

/**
 * The intent of a patch. The model reads the output of the standalone program and the changed lines; the data also hold
 * the end of that program. A patch of which nothing can be made is answered at once.
 */
export async function patchIntent(editing: PatchEditing, input: string, how: IntentHow): Promise<Intent | Outcome> {
  const plan = planHunks(editing, input);
  if (plan.hunks.length === 0) return tellPatch(await placePatch(editing, plan), await openReport(how));
  const part = withoutRefused(plan, how.without);
  if (!part.ok) return refusal(part.message);
  const { plan: left, notes } = part.value;
  if (left.settled.length === 0 && notes.length > 0) return allRefused;
  // Without some of its hunks it is no longer the patch: the rest is made as one.
  const apply = notes.length > 0 ? "all" : editing.apply;
  const drafts = left.hunks.flatMap((hunk) => hunk.drafts.map(({ draft }) => draft));
  return {
    ...placing(drafts, left.settled),
    async run(call) {
      const started = performance.now();
      const report = await openReport(how);
      const done = await placePatch({ ...editing, apply }, left, {
        look: report.look,
        progress: ({ files }) =>
          call.progress({ kind: "diff", data: { files: files.map(({ change }) => change) }, text: "" }),
      });
      return tellPatch({ ...done, notes: [...done.notes, ...notes] }, report, started);
    },
  };
}

type Left = Result<{ plan: PatchPlan; notes: string[] }, "edit">;

function withoutRefused(plan: PatchPlan, without: readonly string[]): Left {
  const left = withoutHunks(plan.settled, without);
  if (!left.ok) return left;
  const { drafts: settled, refused } = left.value;
  if (refused.length === 0) return ok({ plan, notes: [] });
  const files = new Set(settled.map(({ file }) => file.target.real));
  const hunks = plan.hunks.filter(({ drafts }) => drafts.some(({ draft }) => files.has(draft.file.target.real)));
  return ok({ plan: { ...plan, hunks, settled }, notes: refusedText(refused) });
}

async function tellPatch(
  done: PatchDone | PatchFailure,
  { tell }: Report,
  started = performance.now(),
): Promise<Outcome<"diff">> {
  const duration = Math.round(performance.now() - started);
  const { data, text, meta } = await tell(done.files, done.notes);
  const ended = { ...data, duration, timed_out: false as const };
  if ("message" in done) {
    const stderr = [done.message, ...(done.kind === "apply" ? aftermath(done) : ["Nothing was applied."])].join("\n");
    return { kind: "diff", data: { ...ended, exit_code: 1, stdout: "", stderr }, text: stderr, meta, failed: true };
  }
  const stdout = summary(done);
  const all = text ? `${stdout}\n\n${text}` : stdout;
  return { kind: "diff", data: { ...ended, exit_code: 0, stdout, stderr: "" }, text: all, meta };
}
