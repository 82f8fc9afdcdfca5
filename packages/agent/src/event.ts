import type { Failure, Model, StreamEvent, ToolCall } from "@pith/llm";
import type { CompactionCause } from "./compact/cause.ts";
import type { Entry, Header } from "./session/entry.ts";
import type { QueuedInput } from "./session/queue.ts";
import type { CommandAccess } from "./tool/access.ts";
import type { Intent } from "./tool/intent.ts";
import type { FileChange } from "./tool/kind.ts";
import type { Outcome } from "./tool/outcome.ts";
import type { Risk } from "./tool/risk.ts";

/** All events. Entries are facts on disk; deltas are only for display and may be dropped. */
export type Event =
  | { type: "entry"; entry: Entry }
  | { type: "delta"; deltas: readonly StreamEvent[] }
  | { type: "call"; call: ToolCall; intent: Intent }
  | { type: "progress"; call: ToolCall; part: Outcome }
  | { type: "question"; question: Question }
  | { type: "answered"; id: string; answer: Answer }
  | { type: "turn"; state: TurnState }
  | ({ type: "compacted" } & Compacted)
  /** A summary failed and is requested again; `of` is what it is for. */
  | { type: "summing"; of: CompactionCause | "branch"; now: SummaryRetry }
  /** The conversation moved to another place of its tree; the branch left behind may have been summed up there. */
  | { type: "moved"; from: string | null; to: string | null; summary?: Entry }
  /** The conversation continues in another record; its entries follow. */
  | { type: "session"; header: Header }
  | { type: "queue"; waiting: readonly QueuedInput[] }
  | ({ type: "changed" } & TurnChanges)
  /** Changes that an arriving call would make; only for display. */
  | ({ type: "arriving" } & Arriving)
  /**
   * End of the output of a command that the user runs, and its number of lines. Without a text it has ended; `run` is
   * then its record, as soon as that can be written.
   */
  | { type: "output"; id: string; command: string; text?: string; lines?: number; run?: unknown }
  /** A SIXEL picture from such a command, for terminals that show it; not kept. */
  | { type: "picture"; id: string; sixel: string }
  /** Sets a short status text; removed without a text. */
  | { type: "status"; key: string; text?: string }
  /** Sets a panel beside the conversation; removed without a panel. */
  | { type: "panel"; key: string; panel?: Panel }
  /** Rules were broken: the answer was stopped, the result of a call says so, or the model is told after its answer. */
  | { type: "reminded"; rules: readonly { name: string; path: string }[]; how: "stopped" | "result" | "after" }
  | { type: "notice"; notice: Notice };

export type TurnState =
  | { name: "asking"; model: Model; step: number }
  | { name: "running"; calls: readonly ToolCall[] }
  | { name: "retrying"; failure: Failure; attempt: number; delayMs: number; most?: number }
  /** A compaction runs, in a turn or between two. */
  | { name: "compacting"; cause: CompactionCause }
  | { name: "idle"; end: TurnEnd };

export type SummaryRetry =
  | { is: "waiting"; attempt: number; most: number; delayMs: number; message: string }
  | { is: "asking" }
  | { is: "over" };

/** Result of a compaction. */
export interface Compacted {
  cause: CompactionCause;
  /** The summary, if one was made. */
  entry?: Entry & { type: "compaction" };
  /** Estimated tokens of the next request. */
  tokensAfter?: number;
  /** True if it was interrupted. */
  aborted: boolean;
  /** True if the request that did not fit is repeated. */
  willRetry: boolean;
  /** Why it failed. */
  error?: string;
}

/** End of a turn; exit codes follow from it. */
export type TurnEnd =
  | { reason: "done" }
  | { reason: "interrupted"; message: string }
  | { reason: "limit"; message: string }
  | { reason: "failed"; failure: Failure };

/** A question to the user; goes up as an event, the answer comes down. */
export interface Question {
  /** `<agent>/<subject>`: call ids repeat between agents. */
  id: string;
  /** Agent that asks. */
  agent: string;
  form: Form;
  /** The question, in a sentence. */
  text: string;
  /** Details in Markdown, shown whole before an answer is taken. */
  body?: string;
  /** Set for an approval: harm of the call if it was not meant. */
  risk?: Risk;
  /** Set for a command to approve: its parts. */
  parts?: readonly CommandPart[];
  /** Scope of a lasting yes, in words for people; without it a yes holds once. */
  scope?: string;
  /** The options of a choice; for other forms, further answers that are offered. */
  options?: readonly Option[];
  /** Set for an approval: the call and exactly what it will do. */
  call?: ToolCall;
  intent?: Intent;
  /** Set for a command to approve in a sandbox: all that a yes lets it do there beside what it may anyway. */
  access?: CommandAccess;
  /** Time after which no answer means no, unless the user has begun to answer. */
  timeoutMs?: number;
  /** Set for a choice of several options; the answer lists them in `choices`, in the order of choosing. */
  multi?: true;
  /** Recommended option of a choice. */
  recommended?: string;
  /** Options chosen before, in a repeated choice. */
  chosen?: readonly string[];
  /** Position in a series of questions; an answer may lead to the previous or next one. */
  series?: { at: number; of: number };
  /** Suppresses notifications to a user who looks elsewhere. */
  quiet?: true;
}

export interface CommandPart {
  text: string;
  risk: Risk;
  /** Why it is asked about; absent if it is not. */
  reason?: string;
}

/** Kinds of answers: allow a call; choose options; yes or no; a line; a text. */
export type Form = "approval" | "choose" | "confirm" | "line" | "text";

export interface Option {
  id: string;
  label: string;
  about?: string;
}

export interface Answer {
  say: "yes" | "no";
  /** Set if no person answered: time ran out, an interrupt, nobody to ask, another answer covers it, or a hook did. */
  by?: "timeout" | "interrupt" | "nobody" | "policy" | "hook";
  /** The chosen option. */
  option?: string;
  /** Typed words: the reason of a no, or the line or text asked for. */
  words?: string;
  /** Further options; for an approval the names of the refused hunks. */
  choices?: readonly string[];
  /** In a series: where to go instead of answering; choices so far are kept. */
  go?: "back" | "on";
  /** Validity of the answer; once by default. */
  holds?: "once" | "session" | "project";
}

/** Changes a turn has made to files, against the state before it; a user interface may offer to undo them. */
export interface TurnChanges {
  /** Id of the turn in the undo store. */
  turn: string;
  files: readonly { path: string; change: "added" | "modified" | "deleted"; added: number; removed: number }[];
  /** Number of further files, if comparing them all would take long. */
  more?: number;
  /** Set when the model has stopped and the list is complete. */
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

/** Data drawn like a result of that kind; an unknown kind as its text. */
export interface Panel {
  slot: "above" | "below";
  kind: string;
  data: unknown;
  text: string;
}
