import type { Failure, Model, StreamEvent, ToolCall } from "@pith/llm";
import type { Entry } from "./session/entry.ts";
import type { FileChange } from "./tool/kind.ts";
import type { Outcome } from "./tool/tool.ts";

/** Everything the upper rooms may be told. Entries are facts on disk; deltas only paint and may be dropped. */
export type Event =
  | { type: "entry"; entry: Entry }
  | { type: "delta"; deltas: readonly StreamEvent[] }
  | { type: "call"; call: ToolCall }
  | { type: "progress"; call: ToolCall; part: Outcome }
  | { type: "question"; question: Question }
  | { type: "answered"; id: string; answer: Answer }
  | { type: "turn"; state: TurnState }
  | { type: "queue"; steer: readonly string[]; after: readonly string[] }
  | ({ type: "changed" } & Changed)
  /** What a call that is still arriving would change; only paints, like a delta. */
  | ({ type: "arriving" } & Arriving)
  | { type: "notice"; notice: Notice };

export type TurnState =
  | { name: "asking"; model: Model; step: number }
  | { name: "running"; calls: readonly ToolCall[] }
  | { name: "retrying"; failure: Failure; attempt: number; delayMs: number }
  | { name: "idle"; end: TurnEnd };

/** How a turn ended; exit codes are made from it. */
export type TurnEnd =
  | { reason: "done" }
  | { reason: "interrupted"; message: string }
  | { reason: "limit"; message: string }
  | { reason: "failed"; failure: Failure };

export interface Question {
  id: string;
  /** Why it is asked, in a sentence for people. */
  text: string;
  call: ToolCall;
}
export type Answer = { say: "yes" } | { say: "no"; reason?: string };

/**
 * What a turn has done to files so far, against the state before it; a face may offer to keep it or to take it back.
 */
export interface Changed {
  /** By this the checkpoints know the turn. */
  turn: string;
  files: readonly { path: string; change: "added" | "modified" | "deleted"; added: number; removed: number }[];
  /** How many more there are, when comparing them all would take long. */
  more?: number;
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
