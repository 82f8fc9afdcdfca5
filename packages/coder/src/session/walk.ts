import {
  type Aside,
  branchSummariser,
  type Channel,
  type Draft,
  type Forked,
  forkSession,
  type Journal,
  type Navigated,
  navigate,
  type OutlineFilter,
  type OutlineRow,
  outline,
  outlined,
} from "@pith/agent";
import { type Clock, fail, type Result } from "@pith/kit";
import type { Model } from "@pith/llm";

/** Whether what is left behind is summed up first: not, in our words, or as somebody asks for it. */
export type Summary = "none" | "own" | { instructions: string };

/** What a face does with the tree of a session while it is open. */
export interface Walk {
  /** The tree as the rows of a list. */
  outline(filter?: OutlineFilter, query?: string): OutlineRow[];
  /** The same in small steps, each telling how many entries were read. */
  outlined(filter?: OutlineFilter, query?: string): Generator<number, OutlineRow[], void>;
  /** Goes to another place of the tree; a running turn is ended first. The face shows the new path. */
  go(id: string, summary: Summary, signal?: AbortSignal): Promise<Navigated>;
  /** Marks an entry; an empty text takes the mark away. */
  label(id: string, label: string): void;
  rename(name: string): void;
  /** A new session: all of this one, or its path up to an entry. This one stays open. */
  fork(upTo?: string | null): Promise<Result<Forked, "missing" | "foreign" | "unwritable">>;
}

export interface WalkSources {
  journal: Journal;
  channel: Channel;
  /** Ends the running turn. */
  interrupt(reason: string): Promise<void>;
  /** The one that is asked now. */
  model(): Model;
  /** Asks it beside the conversation; what that costs is handed to `record`. */
  aside(record: (draft: Draft) => void): Aside;
  /** The folder of all sessions. */
  sessions: string;
  reserveTokens: number;
  clock: Clock;
}

export function walkIn({
  journal,
  channel,
  interrupt,
  model,
  aside,
  sessions,
  reserveTokens,
  clock,
}: WalkSources): Walk {
  const { tree } = journal;
  return {
    outline: (filter, query) => outline(tree, filter, query),
    outlined: (filter, query) => outlined(tree, filter, query),
    async go(id, summary, signal = new AbortController().signal) {
      await interrupt("moved to another place of the session");
      const instructions = typeof summary === "object" ? { instructions: summary.instructions } : {};
      const spent: Draft[] = [];
      const ask = aside((draft) => spent.push(draft));
      const summarise =
        summary === "none"
          ? undefined
          : branchSummariser({ model: model(), ask, reserveTokens, signal, ...instructions });
      const end = await navigate({ tree, append: (draft) => channel.record(draft) }, id, summarise);
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
