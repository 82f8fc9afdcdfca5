import { messagesOf } from "../../session/convert.ts";
import type { Entry } from "../../session/entry.ts";
import type { SummarizeBranch } from "../../session/walk/navigate.ts";
import { touchedFiles, withoutFiles } from "../../session/walk/touched-files.ts";
import type { CompactionTask } from "../strategy/strategy.ts";
import ask from "./branch-ask.md" with { type: "text" };
import preamble from "./branch-preamble.md" with { type: "text" };
import more from "./branch-update.md" with { type: "text" };
import { withTrueNames } from "./names.ts";
import { saidIn } from "./said.ts";
import { serialize } from "./serialize.ts";
import { summarize } from "./summary.ts";

/** Options for the summary of a branch. */
export interface BranchSummaryOptions extends Pick<CompactionTask, "candidates" | "signal"> {
  /** Tokens of the branch, the newest, that the summarizer is shown. */
  budget: number;
  /** Replaces our prompt. */
  instructions?: string | undefined;
  /** Entries from one on, the newest first. */
  earlier(id: string | null): Iterable<Entry>;
  /** Called when nobody could sum it up. */
  failed(why: string): void;
}

/** Longest summary of a branch. */
const maxOutput = 4096;

/** Makes the branch summary for `navigate`; undefined when aborted or nobody could. */
export const branchSummarizer =
  ({ candidates, budget, instructions, signal, earlier, failed }: BranchSummaryOptions): SummarizeBranch =>
  async (left) => {
    const pieces = selectEntries(left, budget).flatMap(piecesOf);
    const asked = instructions ?? ask.trim();
    const material = { pieces, ask: () => asked, update: () => `${asked}\n\n${more.trim()}` };
    const made = await summarize(candidates, material, { maxOutput, tokens }, signal);
    if (!made.ok) {
      if (made.kind !== "aborted") failed(made.message);
      return undefined;
    }
    const files = touchedFiles(left);
    const { summary, corrected } = withTrueNames(
      withoutFiles(made.value.summary),
      saidIn(left, { more: [instructions ?? ""], earlier: () => earlier(left[0]?.parentId ?? null) }),
    );
    return {
      summary: [preamble.trim(), summary, files.text].filter(Boolean).join("\n\n"),
      details: { ...files.details, corrected: corrected.length > 0 ? corrected : undefined },
    };
  };

/**
 * The newest entries that fit, in order. A summary near the limit is included although it is too long, since it stands
 * for much.
 */
export function selectEntries(entries: readonly Entry[], budget: number): Entry[] {
  const chosen: Entry[] = [];
  let used = 0;
  for (const entry of entries.toReversed()) {
    const text = piecesOf(entry).join("\n");
    if (text === "") continue;
    const size = tokens(text);
    if (used + size > budget) {
      if (isSummary(entry) && used < budget * 0.9) chosen.push(entry);
      break;
    }
    chosen.push(entry);
    used += size;
  }
  return chosen.reverse();
}

const tokens = (text: string): number => Math.ceil(text.length / 4);
const isSummary = (entry: Entry) => entry.type === "compaction" || entry.type === "branch_summary";
const piecesOf = (entry: Entry): string[] => serialize([{ entry, messages: messagesOf(entry) }]);
