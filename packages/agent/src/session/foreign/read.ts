import { recordOf } from "@pith/kit";
import { type AssistantMessage, noUsage } from "@pith/llm";
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
}

export type Json = Record<string, unknown>;

/** Readers of untrusted values; undefined or empty for other types. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
export const object = (value: unknown): Json => recordOf(value);
export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);
export const number = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

export function reply(
  said: Pick<AssistantMessage, "content" | "api" | "provider" | "model"> & { timestamp: string } & Partial<
      Omit<AssistantMessage, "timestamp">
    >,
): EntryDraft {
  const { timestamp, ...rest } = said;
  const calls = said.content.some((part) => part.type === "toolCall");
  return {
    type: "message",
    message: {
      role: "assistant",
      usage: noUsage(),
      stopReason: calls ? "toolUse" : "stop",
      ...rest,
      timestamp: Date.parse(timestamp) || 0,
    },
  };
}
