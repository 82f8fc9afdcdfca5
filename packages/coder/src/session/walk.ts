import {
  type Channel,
  type EntryDraft,
  type ForkedSession,
  forkSession,
  type Journal,
  loadCompaction,
  type NavigateResult,
  navigate,
  type OutlineFilter,
  type OutlineRow,
  outline,
  outlineSteps,
  type Points,
  type SummarizeBranch,
  type Summarizer,
} from "@pith/agent";
import { type Clock, fail, messageOf, type Result } from "@pith/kit";

/** Whether what is left behind is summed up first: not, in our words, or as somebody asks for it. */
export type Summary = "none" | "own" | { instructions: string };

/** What a face does with the tree of a session while it is open. */
export interface Walk {
  /** The tree as the rows of a list. */
  outline(filter?: OutlineFilter, query?: string): OutlineRow[];
  /** The same in small steps, each telling how many entries were read. */
  outlined(filter?: OutlineFilter, query?: string): Generator<number, OutlineRow[], void>;
  /** Goes to another place of the tree; a running turn is ended first. The face shows the new path. */
  go(id: string, summary: Summary, signal?: AbortSignal): Promise<NavigateResult>;
  /** Marks an entry; an empty text takes the mark away. */
  label(id: string, label: string): void;
  rename(name: string): void;
  /** A new session: all of this one, or its path up to an entry. This one stays open. */
  fork(upTo?: string | null): Promise<Result<ForkedSession, "missing" | "foreign" | "unwritable">>;
}

export interface WalkSources {
  journal: Journal;
  channel: Channel;
  points: Pick<Points, "navigate">;
  /** Ends the running turn. */
  interrupt(reason: string): Promise<void>;
  /** Who sums up what is left behind, in this order; what that costs is handed to `record`. */
  candidates(record: (draft: EntryDraft) => void): Promise<readonly Summarizer[]>;
  /** Tokens of it that they are told. */
  budget(): number;
  /** The folder of all sessions. */
  sessions: string;
  clock: Clock;
}

export function walkIn({
  journal,
  channel,
  points,
  interrupt,
  candidates,
  budget,
  sessions,
  clock,
}: WalkSources): Walk {
  const { tree } = journal;
  return {
    outline: (filter, query) => outline(tree, filter, query),
    outlined: (filter, query) => outlineSteps(tree, filter, query),
    async go(id, summary, signal = new AbortController().signal) {
      await interrupt("moved to another place of the session");
      const spent: EntryDraft[] = [];
      const summarise: SummarizeBranch = async (left) =>
        (await loadCompaction()).branchSummarizer({
          candidates: await candidates((draft) => spent.push(draft)),
          budget: budget(),
          instructions: typeof summary === "object" ? summary.instructions : undefined,
          signal,
          failed: (why) => channel.notify({ level: "error", text: `The branch could not be summed up: ${why}.` }),
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
      // Where the conversation goes on: what lies on the way that was left is counted there no more.
      channel.recordAll(spent);
      return end;
    },
    label: (id, label) => void channel.record({ type: "label", targetId: id, ...(label ? { label } : {}) }),
    rename: (name) => void channel.record({ type: "session_info", name: name.replace(/\s+/g, " ").trim() }),
    async fork(upTo) {
      await journal.sync();
      if (journal.file === undefined) return fail("missing", "Nothing is recorded, so there is nothing to fork.");
      return forkSession({ file: journal.file, sessions, take: upTo === undefined ? "all" : { upTo }, clock });
    },
  };
}
