import type { AssistantMessage, Image, Text, ToolResultMessage, UserMessage } from "@pith/llm";
import type { Meta } from "../tool/meta.ts";

// Version 3 of the session format of pi and oh-my-pi: a header line, then entries that form a tree. Entries of unknown
// types are kept unchanged.
export const formatVersion = 3;

export interface Header {
  type: "session";
  version: number;
  id: string;
  timestamp: string;
  cwd: string;
  parentSession?: string;
  /** Title, which omp keeps in the header or in a line before it. */
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
  /** Origin of text in a prompt that neither the user nor the project wrote. */
  origin?: Meta["origin"];
  /** The `pith.inbox` entry that queued this message. */
  inbox?: string;
}
export interface ModelChange extends Base {
  type: "model_change";
  provider: string;
  modelId: string;
  /** omp: purpose of the model; absent or `default` for the conversation itself. */
  role?: string;
  /** The chosen model, for which this one stands in until the turn ends. */
  instead?: string;
}
export interface ThinkingLevelChange extends Base {
  type: "thinking_level_change";
  /** Requested level: never more than the model has. */
  thinkingLevel: string;
  /** Wanted level, if different; omp knows it too. */
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
  /** Data of the summary beside its words, carried from run to run. */
  preserveData?: Readonly<Record<string, unknown>>;
  /** True if a hook made it. */
  fromExtension?: boolean;
}
/** Replaces an earlier message for the model, or hides it. From pi. */
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
  /** True if a hook made it. */
  fromExtension?: boolean;
}
/** Kept, never sent to a model. Our own facts have `customType: "pith.<name>"`. */
export interface Custom extends Base {
  type: "custom";
  customType: string;
  data?: unknown;
  /** The entry that this one repeats after a compaction. */
  repeats?: string;
}
/** Kept, and sent to the model as a user message. */
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

/** All rules that the model was reminded of so far. From omp. */
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
/** An entry without its place. */
export type EntryDraft = Entry extends infer E ? (E extends Entry ? Omit<E, keyof Base> : never) : never;
