import {
  type Channel,
  type EntryDraft,
  type ForkedSession,
  forkSession,
  type Journal,
  loadCompaction,
  type NavigateResult,
  navigate,
  type Points,
  type SummarizeBranch,
  type Summarizer,
} from "@pith/agent";
import { type Clock, fail, messageOf, type Result } from "@pith/kit";

/** A summary of the branch that is left: none, one in our words, or one by a person's instructions. */
export type Summary = "none" | "own" | { instructions: string };

export interface WalkSources {
  journal: Journal;
  channel: Channel;
  points: Pick<Points, "navigate">;
  /** Ends the running turn. */
  interrupt(reason: string): Promise<void>;
  /** Models that may write the summary, in this order; drafts that say what it cost are handed to `record`. */
  candidates(record: (draft: EntryDraft) => void): Promise<readonly Summarizer[]>;
  /** Tokens of the branch that they are told. */
  budget(): number;
}

/** Goes to another place of the session's tree. A running turn is ended first; the interface shows the new path. */
export async function walkTo(
  { journal: { tree }, channel, points, interrupt, candidates, budget }: WalkSources,
  id: string,
  summary: Summary,
  signal: AbortSignal,
): Promise<NavigateResult> {
  await interrupt("moved to another place of the session");
  const spent: EntryDraft[] = [];
  const summarise: SummarizeBranch = async (left) =>
    (await loadCompaction()).branchSummarizer({
      candidates: await candidates((draft) => spent.push(draft)),
      budget: budget(),
      instructions: typeof summary === "object" ? summary.instructions : undefined,
      signal,
      earlier: (from) => (from === null ? [] : tree.back(from)),
      failed: (why) => channel.notify({ level: "error", text: `The branch could not be summarized: ${why}.` }),
    })(left);
  const wanted = summary === "none" ? ("none" as const) : ("wanted" as const);
  const tellThrow = (name: string, error: unknown) =>
    channel.notify({ level: "warn", text: `${name} failed at a move in the tree: ${messageOf(error)}` });
  const from = tree.leaf;
  const end = await navigate(
    { tree, append: (draft) => channel.record(draft) },
    id,
    summary === "none" ? undefined : summarise,
    (leaving) => points.navigate(Object.assign(leaving, { summary: wanted, signal }), tellThrow),
  );
  if (end.done === "moved")
    channel.announce({ type: "moved", from, to: tree.leaf, ...(end.summary && { summary: end.summary }) });
  // Written where the conversation goes on: a branch that was left is not counted there any more.
  channel.recordAll(spent);
  return end;
}

/** Copies the session, or its path up to an entry, into a new one. This one stays open. */
export async function forkRecord(
  { journal, sessions, clock }: { journal: Journal; sessions: string; clock: Clock },
  upTo: string | null | undefined,
): Promise<Result<ForkedSession, "missing" | "foreign" | "unwritable">> {
  await journal.sync();
  if (journal.file === undefined) return fail("missing", "Nothing is recorded, so there is nothing to fork.");
  return forkSession({ file: journal.file, sessions, take: upTo === undefined ? "all" : { upTo }, clock });
}
