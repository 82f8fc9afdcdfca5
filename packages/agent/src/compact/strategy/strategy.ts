import type { Result } from "@pith/kit";
import type { Message, Model, Request } from "@pith/llm";
import type { AskModel } from "../../loop/side-request.ts";
import type { Entry } from "../../session/entry.ts";
import type { CompactionCause, CompactionSummary, PathCut, SummaryAdditions } from "../cause.ts";
import type { WindowSizes } from "../size.ts";

/** What a strategy is given. It changes nothing: what it made is written by whoever asked, with one write. */
export interface CompactionTask {
  cause: CompactionCause;
  /** What the model is shown of, in that order: the last compaction, what it kept, what came later. */
  path: readonly Entry[];
  /** Where it is cut, so that what is kept fits; a strategy that shortens in place need not look at it. */
  cut: PathCut;
  sizes: WindowSizes;
  /** The one that the conversation goes on with. */
  model: Model;
  /** What a person asked to be looked after. */
  instructions?: string | undefined;
  /** What hooks said, joined. */
  additions: SummaryAdditions;
  /** Whom to ask for a summary, in this order. */
  candidates: readonly Summarizer[];
  /** Any other request beside the conversation. */
  aside: AskModel;
  /** What the model would be asked now: the same bytes as the next request of the conversation. */
  standing(): Promise<Request>;
  /** About how many tokens a message is for that model. */
  tokens(message: Message): number;
  signal: AbortSignal;
}

/** Somebody who sums up: a model, an endpoint. */
export interface Summarizer {
  name: string;
  /** Tokens of a question and its answer together. */
  window: number;
  ask(
    question: { system: string; prompt: string; maxOutput: number },
    signal: AbortSignal,
  ): Promise<Result<string, SummaryFailure>>;
  /** It gave no summary, and another one is asked. */
  gaveNone?(why: string): void;
}

/** How long one answer may take, whatever its server does. */
export const answerTimeoutMs = 300_000;

/** `refused`: empty, or a call in the place of words; another may do better. `long`: cut off, or more than fits. */
export type SummaryFailure = "aborted" | "failed" | "refused" | "long";

export type StrategyResult =
  /** Becomes a `compaction` entry at the cut. */
  | ({ kind: "summary" } & CompactionSummary)
  /** Become `context_edit` entries: what the model is shown in the place of single messages. */
  | { kind: "edits"; edits: readonly MessageEdit[] }
  /** Another session goes on from this. */
  | { kind: "document"; document: string };

/** Null leaves the message out. */
export interface MessageEdit {
  targetId: string;
  replacement: { content: string } | null;
}

/** `unable`: not for this model or this cause; context-full takes its place, and people are told why. */
export type StrategyFailure = "aborted" | "failed" | "unable";

export type Strategy = (task: CompactionTask) => Promise<Result<StrategyResult, StrategyFailure>>;
