import type { AssistantMessage, Purpose } from "@pith/llm";
import type { Draft } from "../session/entry.ts";

/** What an answer has cost that is no message of the conversation, and what it was asked for. */
export const spentDraft = ({ provider, model, usage }: AssistantMessage, purpose: Purpose): Draft => ({
  type: "custom",
  customType: "pith.spent",
  data: { purpose, provider, model, usage },
});
