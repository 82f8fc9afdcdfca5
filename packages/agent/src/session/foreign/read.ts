import { recordOf } from "@pith/kit";
import { type AssistantMessage, noUsage, type ToolResultMessage, type UserMessage } from "@pith/llm";
import type { Meta } from "../../tool/meta.ts";
import type { EntryDraft } from "../entry.ts";

/** A session of another program, in our terms. */
export interface ForeignSession {
  id: string;
  cwd: string;
  timestamp: string;
  title?: string | undefined;
  drafts: TimedDraft[];
}
export interface TimedDraft {
  draft: EntryDraft;
  timestamp: string;
  /** Its id in that program, by which a compaction names what it keeps. */
  origin?: string | undefined;
  /** Origin of foreign text in it. */
  mark?: Meta["origin"];
}

export type Json = Record<string, unknown>;

/** Readers of untrusted values; undefined or empty for other types. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
export const object = (value: unknown): Json => recordOf(value);
export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);
export const number = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

type Needed = "content" | "api" | "provider" | "model";

export function replyDraft(said: Pick<AssistantMessage, Needed> & Partial<AssistantMessage>, time: string): EntryDraft {
  const stopReason = said.content.some((part) => part.type === "toolCall") ? "toolUse" : "stop";
  const timestamp = Date.parse(time) || 0;
  return { type: "message", message: { role: "assistant", usage: noUsage(), stopReason, ...said, timestamp } };
}

export const userDraft = (content: UserMessage["content"], time: string): EntryDraft => ({
  type: "message",
  message: { role: "user", content, timestamp: Date.parse(time) || 0 },
});

export function resultDraft(result: Pick<ToolResultMessage, ResultFields>, time: string): EntryDraft {
  return { type: "message", message: { role: "toolResult", ...result, timestamp: Date.parse(time) || 0 } };
}
type ResultFields = "toolCallId" | "toolName" | "content" | "isError";
