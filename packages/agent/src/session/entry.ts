import type { AssistantMessage, Image, Text, ToolResultMessage, UserMessage } from "@pith/llm";
import type { Meta } from "../tool/meta.ts";

// Version 3 of the session format that pi and oh-my-pi write: a header line, then entries that form a tree.
// Entries of a type we do not know are kept and written back untouched.
export const formatVersion = 3;

export interface Header {
  type: "session";
  version: number;
  id: string;
  timestamp: string;
  cwd: string;
  parentSession?: string;
  /** A title that omp keeps in the header or in a line before it. */
  title?: string;
}

interface Base {
  id: string;
  parentId: string | null;
  timestamp: string;
}
export interface MessageEntry extends Base {
  type: "message";
  message: UserMessage | AssistantMessage | ToolResultMessage;
  /** Of what a person said: where something in it came from that neither they nor the project wrote. */
  origin?: Meta["origin"];
  /** The `pith.inbox` entry this message was queued as, when it was. */
  inbox?: string;
}
export interface ModelChange extends Base {
  type: "model_change";
  provider: string;
  modelId: string;
  /** Of omp: what this model is asked for; without it, or with `default`, the conversation itself. */
  role?: string;
  /** The model that was chosen and did not answer: this one stands in for it until the turn is over. */
  instead?: string;
}
export interface ThinkingLevelChange extends Base {
  type: "thinking_level_change";
  /** What the model is asked for: never more than it has. */
  thinkingLevel: string;
  /** What was wanted, where that is another one; omp knows it too. */
  configured?: string | null;
}
export interface Compaction extends Base {
  type: "compaction";
  summary: string;
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: unknown;
  /** A line for people. */
  shortSummary?: string;
  /** What belongs to the summary and is not words: carried on from run to run. */
  preserveData?: Readonly<Record<string, unknown>>;
  /** A hook made it. */
  fromExtension?: boolean;
}
/** Of pi: what the model is shown in the place of an earlier message, or that it is shown no more. */
export interface ContextEdit extends Base {
  type: "context_edit";
  targetId: string;
  replacement: { content: string | (Text | Image)[] } | null;
}
export interface BranchSummary extends Base {
  type: "branch_summary";
  fromId: string;
  summary: string;
  details?: unknown;
  /** A hook made it. */
  fromExtension?: boolean;
}
/** Kept, never sent to a model. Our own facts are `customType: "pith.<name>"`. */
export interface Custom extends Base {
  type: "custom";
  customType: string;
  data?: unknown;
  /** The entry that this one says again, behind what a compaction left behind. */
  repeats?: string;
}
/** Kept and sent to the model as a user message. */
export interface CustomMessage extends Base {
  type: "custom_message";
  customType: string;
  content: string | (Text | Image)[];
  details?: unknown;
  display: boolean;
}
export interface Label extends Base {
  type: "label";
  targetId: string;
  label?: string;
}
export interface SessionInfo extends Base {
  type: "session_info";
  name?: string;
}

/** Of omp: the rules that the model was reminded of, all so far. */
export interface RuleInjection extends Base {
  type: "ttsr_injection";
  injectedRules: readonly string[];
}

export type Entry =
  | MessageEntry
  | ModelChange
  | ThinkingLevelChange
  | Compaction
  | ContextEdit
  | BranchSummary
  | Custom
  | CustomMessage
  | Label
  | SessionInfo
  | RuleInjection;
/** An entry before the journal has given it its place. */
export type EntryDraft = Entry extends infer E ? (E extends Entry ? Omit<E, keyof Base> : never) : never;
