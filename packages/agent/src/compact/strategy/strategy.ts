import type { Result } from "@pith/kit";
import type { Message, Model, Request } from "@pith/llm";
import type { AskModel } from "../../loop/side-request.ts";
import type { Entry } from "../../session/entry.ts";
import type { CompactionCause, CompactionSummary, PathCut, SummaryAdditions } from "../cause.ts";
import type { WindowSizes } from "../size.ts";

/** Input of a strategy. It changes nothing; the caller records the result with one write. */
export interface CompactionTask {
  cause: CompactionCause;
  /** Entries that the model is shown, in that order: the last compaction, what it kept, what followed. */
  path: readonly Entry[];
  /** Entries before these, the newest first. */
  earlier(): Iterable<Entry>;
  /** The cut that makes the rest fit; a strategy that shortens in place may ignore it. */
  cut: PathCut;
  sizes: WindowSizes;
  /** Model of the conversation. */
  model: Model;
  /** The user's wishes for the summary. */
  instructions?: string | undefined;
  /** Joined additions of hooks. */
  additions: SummaryAdditions;
  /** Summarizers in the order in which they are tried. */
  candidates: readonly Summarizer[];
  /** Makes other requests beside the conversation. */
  aside: AskModel;
  /** The next request of the conversation, byte for byte. */
  nextRequest(): Promise<Request>;
  /** Estimates the tokens of a message for that model. */
  tokens(message: Message): number;
  signal: AbortSignal;
}

/** A model or a service that writes summaries. */
export interface Summarizer {
  name: string;
  /** Tokens of request and answer together. */
  window: number;
  ask(
    question: { system: string; prompt: string; maxOutput: number },
    signal: AbortSignal,
  ): Promise<Result<string, SummaryFailure>>;
  /** Called when it gave no summary and the next one is asked. */
  gaveNone?(why: string): void;
}

/** Time for one answer. */
export const answerTimeoutMs = 300_000;

/** `refused`: empty or a call instead of words; another summarizer may do better. `long`: cut off, or too long. */
export type SummaryFailure = "aborted" | "failed" | "refused" | "long";

export type StrategyResult =
  /** Becomes a `compaction` entry at the cut. */
  | ({ kind: "summary" } & CompactionSummary)
  /** Become `context_edit` entries, which replace single messages in what the model is shown. */
  | { kind: "edits"; edits: readonly MessageEdit[] }
  /** Text with which another session continues. */
  | { kind: "document"; document: string };

/** Replacement of a message; null hides it. */
export interface MessageEdit {
  targetId: string;
  replacement: { content: string } | null;
}

/** `unable`: not possible for this model or cause; context-full is used instead, and the user is told why. */
export type StrategyFailure = "aborted" | "failed" | "unable";

export type Strategy = (task: CompactionTask) => Promise<Result<StrategyResult, StrategyFailure>>;
