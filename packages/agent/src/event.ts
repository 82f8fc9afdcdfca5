import type { Failure, Model, StreamEvent, ToolCall } from "@pith/llm";
import type { CompactionCause } from "./compact/cause.ts";
import type { Entry, Header } from "./session/entry.ts";
import type { QueuedInput } from "./session/queue.ts";
import type { Intent } from "./tool/intent.ts";
import type { FileChange } from "./tool/kind.ts";
import type { Outcome } from "./tool/outcome.ts";
import type { Risk } from "./tool/risk.ts";

/** Everything the upper rooms may be told. Entries are facts on disk; deltas only paint and may be dropped. */
export type Event =
  | { type: "entry"; entry: Entry }
  | { type: "delta"; deltas: readonly StreamEvent[] }
  | { type: "call"; call: ToolCall; intent: Intent }
  | { type: "progress"; call: ToolCall; part: Outcome }
  | { type: "question"; question: Question }
  | { type: "answered"; id: string; answer: Answer }
  | { type: "turn"; state: TurnState }
  | ({ type: "compacted" } & Compacted)
  /** A summary failed and is asked for again; for what it is made. */
  | { type: "summing"; of: CompactionCause | "branch"; now: SummaryRetry }
  /** The conversation goes on at another place of its tree; what was left may have been summed up there. */
  | { type: "moved"; from: string | null; to: string | null; summary?: Entry }
  /** The conversation goes on in another record; its entries follow. */
  | { type: "session"; header: Header }
  | { type: "queue"; waiting: readonly QueuedInput[] }
  | ({ type: "changed" } & TurnChanges)
  /** What a call that is still arriving would change; only paints, like a delta. */
  | ({ type: "arriving" } & Arriving)
  /**
   * What a command that a person typed has said so far: the end of it, and how many lines there were. Without a text it
   * is over; then `run` is what is recorded of it as soon as there is a place.
   */
  | { type: "output"; id: string; command: string; text?: string; lines?: number; run?: unknown }
  /** A picture in SIXEL from such a command, for a terminal that shows it; nothing keeps it. */
  | { type: "picture"; id: string; sixel: string }
  /** A short text that stands until it is told anew; without a text it is taken away. */
  | { type: "status"; key: string; text?: string }
  /** Something to look at beside the conversation; without a panel it is taken away. */
  | { type: "panel"; key: string; panel?: Panel }
  /** Rules were broken: the answer was stopped, the result of a call says so, or the model is told after its answer. */
  | { type: "reminded"; rules: readonly { name: string; path: string }[]; how: "stopped" | "result" | "after" }
  | { type: "notice"; notice: Notice };

export type TurnState =
  | { name: "asking"; model: Model; step: number }
  | { name: "running"; calls: readonly ToolCall[] }
  | { name: "retrying"; failure: Failure; attempt: number; delayMs: number; most?: number }
  /** The conversation is made shorter; in a turn or between two. */
  | { name: "compacting"; cause: CompactionCause }
  | { name: "idle"; end: TurnEnd };

export type SummaryRetry =
  | { is: "waiting"; attempt: number; most: number; delayMs: number; message: string }
  | { is: "asking" }
  | { is: "over" };

/** What came of making the conversation shorter. */
export interface Compacted {
  cause: CompactionCause;
  /** The summary, where one was made. */
  entry?: Entry & { type: "compaction" };
  /** About how long the next request is now. */
  tokensAfter?: number;
  /** Somebody stopped it. */
  aborted: boolean;
  /** The request that found no room is made again. */
  willRetry: boolean;
  /** Why nothing became of it. */
  error?: string;
}

/** How a turn ended; exit codes are made from it. */
export type TurnEnd =
  | { reason: "done" }
  | { reason: "interrupted"; message: string }
  | { reason: "limit"; message: string }
  | { reason: "failed"; failure: Failure };

/** What a person is asked; an event up, an answer down. */
export interface Question {
  /** `<agent>/<what it is about>`: the ids of calls repeat from agent to agent. */
  id: string;
  /** Who asks. */
  agent: string;
  form: Form;
  /** Why it is asked, in a sentence for people. */
  text: string;
  /** What it is about, in Markdown, where that is more than a sentence: shown whole before an answer is taken. */
  body?: string;
  /** Of an approval: how bad it would be if it were not meant. */
  risk?: Risk;
  /** Of a command to allow: what it comes down to, part by part. */
  parts?: readonly CommandPart[];
  /** What a yes for longer than once would cover, in words for people; without it a yes holds once. */
  scope?: string;
  /** Of a choice: what there is to choose from. Of the others: answers that are offered beside the plain ones. */
  options?: readonly Option[];
  /** Of an approval: the call, and exactly what it will do. */
  call?: ToolCall;
  intent?: Intent;
  /** After this long without an answer it is a no, unless somebody has begun to answer. */
  timeoutMs?: number;
  /** Of a choice: several options may be taken; the answer has them in `choices`, in the order of choosing. */
  multi?: true;
  /** Of a choice: the option that whoever asks would take. */
  recommended?: string;
  /** What was chosen of the options before, where it is asked again. */
  chosen?: readonly string[];
  /** One of several that belong together; an answer may go to the one before or behind it. */
  series?: { at: number; of: number };
  /** Nobody who looks elsewhere shall be called. */
  quiet?: true;
}

export interface CommandPart {
  text: string;
  risk: Risk;
  /** Why it is asked about; absent where it is not. */
  reason?: string;
}

/** A call to allow; one (or several) of some options; yes or no; words on one line; words on several. */
export type Form = "approval" | "choose" | "confirm" | "line" | "text";

export interface Option {
  id: string;
  label: string;
  about?: string;
}

export interface Answer {
  say: "yes" | "no";
  /** Who said it, where it was not a person: nobody did in time, the question went away, or another answer covers it. */
  by?: "timeout" | "interrupt" | "nobody" | "policy";
  /** Of the options that were offered. */
  option?: string;
  /** What a person typed: the reason of a no, the line or the text that was asked for. */
  words?: string;
  /** Further options; of an approval the names of the hunks that shall not be made. */
  choices?: readonly string[];
  /** In a series: not the last word on this one, but where to go; what is chosen so far stays. */
  go?: "back" | "on";
  /** For how long it is meant; once unless said otherwise. */
  holds?: "once" | "session" | "project";
}

/**
 * What a turn has done to files so far, against the state before it; a face may offer to keep it or to take it back.
 */
export interface TurnChanges {
  /** By this the checkpoints know the turn. */
  turn: string;
  files: readonly { path: string; change: "added" | "modified" | "deleted"; added: number; removed: number }[];
  /** How many more there are, when comparing them all would take long. */
  more?: number;
  /** The model has stopped: this is all of it. */
  final?: true;
}

export interface Arriving {
  id: string;
  name: string;
  files: readonly FileChange[];
}

export interface Notice {
  level: "info" | "warn" | "error";
  text: string;
}

/** Data that a face draws as it draws a result of that kind; an unknown kind as its text. */
export interface Panel {
  slot: "above" | "below";
  kind: string;
  data: unknown;
  text: string;
}
