import { defined } from "@pith/kit";
import type { Image, Text, ToolCall, ToolResultMessage } from "@pith/llm";
import { type CallApproval, type Intent, intentFields } from "./intent.ts";
import { notice } from "./meta.ts";
import type { Outcome, Refused } from "./outcome.ts";

/** An outcome with only a message. */
export const refusal = (text: string, refused?: Refused): Outcome<"prose"> => ({
  kind: "prose",
  data: {},
  text,
  failed: true,
  refused,
});

/** The outcome with another note. */
export const withNote = (outcome: Outcome, note: string | undefined): Outcome =>
  note === undefined
    ? outcome
    : { ...outcome, meta: { ...outcome.meta, notes: [...(outcome.meta?.notes ?? []), note] } };

/** Message for the record. The notice is added only here, so it is said once. */
export function toMessage(
  call: Pick<ToolCall, "id" | "name">,
  outcome: Outcome,
  timestamp: number,
  intent?: Intent,
  allowed?: CallApproval,
): ToolResultMessage {
  const { content, details, isError } = resultFields(outcome);
  // Replayed results bring their own intent.
  const approval = defined({ allowed: allowed?.by, autoApproved: isUnasked(allowed, intent) || undefined });
  const kept = intent ? { intent: intentFields(intent), ...approval, ...details } : details;
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content,
    details: kept,
    isError,
    timestamp,
  };
}

/** True if a command ran without a question. */
const isUnasked = (allowed: CallApproval | undefined, intent: Intent | undefined): boolean =>
  allowed?.asked === "nobody" && intent?.command !== undefined;

/** Fields of an outcome as recorded; also for `pith tool`, JSON mode, RPC and export. */
export function resultFields(outcome: Outcome): Pick<ToolResultMessage, "content" | "details" | "isError"> {
  const said = notice(outcome.meta);
  const text = said === undefined ? outcome.text : outcome.text === "" ? said : `${outcome.text}\n\n${said}`;
  const reminders = outcome.reminders ?? [];
  const content: (Text | Image)[] = [
    ...reminders.map((reminder) => ({ type: "text" as const, text: reminder })),
    ...(text === "" && outcome.images?.length ? [] : [{ type: "text" as const, text }]),
    ...(outcome.images ?? []),
  ];
  return {
    content,
    details: {
      kind: outcome.kind,
      ...outcome.data,
      refused: outcome.refused,
      meta: outcome.meta,
      reminders: reminders.length || undefined,
    },
    isError: outcome.failed === true,
  };
}

/** The tool's own content, without reminders: `details.reminders` is their number. */
export function ownContent({
  content,
  details,
}: Pick<ToolResultMessage, "content" | "details">): ToolResultMessage["content"] {
  const { reminders } = details ?? {};
  return typeof reminders === "number" && reminders > 0 ? content.slice(reminders) : content;
}
