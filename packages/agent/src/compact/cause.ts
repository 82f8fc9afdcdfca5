import type { Entry } from "../session/entry.ts";

// Types of compaction that the loop and its events need.

/** Reasons for a compaction: by hand, at the threshold, after a request or an answer did not fit, or while idle. */
export type CompactionCause = "manual" | "threshold" | "overflow" | "incomplete" | "idle";

/** The cut of a path: entries before it are summed up, those from it on are kept. */
export interface PathCut {
  /** Index of the first kept entry; the length of the path if none is kept. */
  at: number;
  /** Index of the entry that began the turn being cut; equal to `at` if the cut is between turns. */
  turn: number;
}

/** A summary in place of what was cut. The caller adds quotes and the list of files. */
export interface CompactionSummary {
  summary: string;
  /** A line for people. */
  shortSummary?: string;
  details?: Readonly<Record<string, unknown>>;
  /** Data of the summary beside its words, for later runs and `messagesOf`. */
  preserveData?: Readonly<Record<string, unknown>>;
}

/** View of a compaction for hooks. */
export interface CompactView {
  cause: CompactionCause;
  /** Entries that the model is shown, in that order: the last compaction, what it kept, what followed. */
  path: readonly Entry[];
  cut: PathCut;
  tokensBefore: number;
  /** The user's wishes for the summary. */
  instructions?: string | undefined;
  signal: AbortSignal;
}

/** Additions of hooks to a summary still to be made. */
export interface SummaryAdditions {
  /** Replaces our prompt. */
  prompt?: string;
  /** Lines for the summarizer beside the conversation. */
  context?: readonly string[];
  preserveData?: Readonly<Record<string, unknown>>;
}

export type CompactAnswer =
  | ({ do: "go" } & SummaryAdditions)
  | { do: "cancel" }
  /** The complete summary, made by the hook; without an id the cut stays. */
  | { do: "result"; result: CompactionSummary & { firstKeptEntryId?: string } };

/** View of a move to another place of the tree, for hooks. */
export interface NavigateView {
  from: string | null;
  to: string | null;
  /** Entries left behind, oldest first. */
  left: readonly Entry[];
  /** `wanted` if a summary of them was asked for. */
  summary: "wanted" | "none";
  signal: AbortSignal;
}

export type NavigateAnswer =
  | { do: "go" }
  | { do: "cancel" }
  /** Used if a summary was asked for. */
  | { do: "summary"; summary: string; details?: unknown };
