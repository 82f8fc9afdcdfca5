import type { Entry } from "../session/entry.ts";

// What the loop and its events know of a conversation that is made shorter.

/** Why it is made shorter: by hand, at the threshold, after a server or an answer found no room, or while nobody waits. */
export type CompactionCause = "manual" | "threshold" | "overflow" | "incomplete" | "idle";

/** Where a path is cut: what stands before is summed up, what stands from there on is kept. */
export interface PathCut {
  /** Of the first entry that is kept; the length of the path where nothing is. */
  at: number;
  /** Of the entry that began the turn which the cut goes through; the same as `at` where it goes between two turns. */
  turn: number;
}

/** What stands in the place of what was cut. Words that are kept and the list of files are added by whoever asked. */
export interface CompactionSummary {
  summary: string;
  /** A line for people. */
  shortSummary?: string;
  details?: Readonly<Record<string, unknown>>;
  /** What later runs and `messagesOf` need of it beside its words. */
  preserveData?: Readonly<Record<string, unknown>>;
}

/** What a hook may know before a conversation is made shorter. */
export interface CompactView {
  cause: CompactionCause;
  /** What the model is shown of, in that order: the last compaction, what it kept, what came later. */
  path: readonly Entry[];
  cut: PathCut;
  tokensBefore: number;
  /** What a person asked to be looked after. */
  instructions?: string | undefined;
  signal: AbortSignal;
}

/** What hooks add to a summary that is still to be made. */
export interface SummaryAdditions {
  /** In the place of our own request. */
  prompt?: string;
  /** Lines that the summariser is given beside the conversation. */
  context?: readonly string[];
  preserveData?: Readonly<Record<string, unknown>>;
}

export type CompactAnswer =
  | ({ do: "go" } & SummaryAdditions)
  | { do: "cancel" }
  /** The whole of it, made by the hook; without an id the cut stays where it is. */
  | { do: "result"; result: CompactionSummary & { firstKeptEntryId?: string } };

/** What a hook may know before the conversation goes on at another place of its tree. */
export interface NavigateView {
  from: string | null;
  to: string | null;
  /** What is left behind, oldest first. */
  left: readonly Entry[];
  /** Whether somebody asked for a summary of it. */
  summary: "wanted" | "none";
  signal: AbortSignal;
}

export type NavigateAnswer =
  | { do: "go" }
  | { do: "cancel" }
  /** Counts where one was asked for. */
  | { do: "summary"; summary: string; details?: unknown };
