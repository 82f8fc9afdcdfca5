import type { CommandPart, Entry, Header, Option, Panel, TurnEnd } from "@pith/agent";
import { risks, type Schema, schema as s } from "@pith/agent";
import type { Failure } from "@pith/llm";
import { assistant, fileChange, level, message, shown, toolCall, toolResult, usage } from "./message.ts";
import { bool, fields, int, list, of, open, text } from "./schema.ts";

// The public events of JSON mode, RPC and serve, by the names and shapes that pi writes. A `turn` here is a step
// elsewhere in the code: one answer of the model and the calls it made. docs/json-events.md and docs/events.schema.json
// are made of these rows.

/** A row of a table of lines: the type, when it is written, its fields, and whether it is ours or pi's. */
export const lineRow =
  (ours: boolean) =>
  <const N extends string, S extends s.ObjectShape>(type: N, when: string, shape: S) => ({
    type,
    when,
    ours,
    schema: s.object({ type: s.literal(type), ...shape }) as unknown as Schema<{ type: N } & s.ObjectOf<S>>,
  });
const event = lineRow(false);
const own = lineRow(true);

const result = s.object({ content: shown, details: fields.optional() });
const call = { toolCallId: text, toolName: text, args: fields };
const at = { contentIndex: int };
const end = s.union([
  s.object({ reason: s.literal("done") }),
  s.object({ reason: s.oneOf(["interrupted", "limit"]), message: text }),
  s.object({
    reason: s.literal("failed"),
    failure: of<Failure>({
      kind: text,
      message: text,
      status: int.optional(),
      retryAfterMs: s.number().optional(),
    }),
  }),
]) as unknown as Schema<TurnEnd>;
export const entry = open<Entry>({ type: text, id: text, parentId: s.unknown(), timestamp: text });
const option = of<Option>({ id: text, label: text, about: text.optional() });
const risk = s.oneOf(risks);
const access = s.object({
  leaves: s
    .oneOf(["sandbox", "network"])
    .describe("it leaves the sandbox, or has the network of this machine")
    .optional(),
  writes: list(text).describe("folders"),
  hosts: list(text),
  ports: list(int).describe("of this machine"),
});
const part = of<CommandPart>({ text, risk, reason: text.optional() });
const holds = s.oneOf(["once", "session", "project"]);
const panel = of<Panel>({ slot: s.oneOf(["above", "below"]), kind: text, data: s.unknown(), text });
const reason = s.oneOf(["manual", "threshold", "overflow"]);
const tries = { attempt: int, maxAttempts: int, delayMs: int, errorMessage: text };

const piece = <const N extends readonly string[], S extends s.ObjectShape>(types: N, shape: S) =>
  s.object({ type: s.oneOf(types), ...shape }) as unknown as Schema<{ type: N[number] } & s.ObjectOf<S>>;
/** The pieces of an answer, and what each is. */
export const pieces = [
  piece(["text_start", "thinking_start"], at),
  piece(["text_delta", "thinking_delta"], { ...at, delta: text }),
  piece(["text_end", "thinking_end"], { ...at, content: text.describe("the whole text of the block") }),
  piece(["toolcall_start"], { ...at, id: text, toolName: text }),
  piece(["toolcall_delta"], {
    ...at,
    delta: text.describe("a piece of the arguments, which are JSON only when complete"),
  }),
  piece(["toolcall_end"], { ...at, toolCall: toolCall.describe("comes when the answer is complete") }),
] as const;

/** The result of a compaction. */
export const compaction = s.object({
  summary: text,
  firstKeptEntryId: text,
  tokensBefore: int,
  estimatedTokensAfter: int.optional(),
  usage: usage.optional(),
  details: s.unknown().optional(),
});

/** Events of a session, in the order of the page. */
export const events = [
  event("agent_start", "a prompt begins to be worked on", {}),
  event("turn_start", "the next answer is asked for (what the rest of our documentation calls a step)", {}),
  event(
    "message_start",
    'a message of the user, the model (`stopReason: "pending"`), a tool, a shell command or pith (`role: "custom"`)',
    { message },
  ),
  event("message_update", "a piece of the answer, see below", { usage, assistantMessageEvent: s.union(pieces) }),
  event("message_end", "the message as it was recorded: the last word", { message }),
  event("tool_execution_start", "a call begins; a refused one too, right before its end", call),
  event("tool_execution_update", "what a running tool has so far", { ...call, partialResult: result }),
  event("tool_execution_end", "its result, before its `message_start`", {
    toolCallId: text,
    toolName: text,
    result,
    isError: bool,
  }),
  event("turn_end", "the answer and the results of its calls", {
    message: assistant,
    toolResults: list(toolResult),
  }),
  event("agent_end", "the prompt is done; `messages` are those recorded for it", {
    messages: list(message),
    willRetry: s.literal(false),
    end: (end.describe("ours") as typeof end).optional(),
  }),
  event("agent_settled", "nothing goes on by itself; what waits in the queue goes out with the next prompt", {}),
  event("queue_update", "the whole queue, after each change", { steering: list(text), followUp: list(text) }),
  event("auto_retry_start", "a request failed and will be tried again", tries),
  event("auto_retry_end", "the end of the tries", { success: bool, attempt: int, finalError: text.optional() }),
  event("session_info_changed", "the session has another name; without `name` it has none", { name: text.optional() }),
  event("thinking_level_changed", "the model is asked to think more or less from now on", { level }),
  event("compaction_start", "the conversation is being shortened", { reason }),
  event("compaction_end", "it has been, or not; with `willRetry` the prompt that was too long is tried again", {
    reason,
    result: compaction.optional(),
    aborted: bool,
    willRetry: bool,
    errorMessage: text.optional(),
  }),
  event("summarization_retry_scheduled", "a summary failed and will be tried again", tries),
  event("summarization_retry_attempt_start", "it is tried again", {
    source: s.oneOf(["compaction", "branchSummary"]),
    reason: reason.optional(),
  }),
  event("summarization_retry_finished", "the end of these tries", {}),
  event("entry_appended", "any other entry of the session: model, prompt, queued input, …", { entry }),
  own("question", "somebody is asked, where somebody can answer; `intent` is what the call will do", {
    id: text,
    agent: text,
    form: s.oneOf(["approval", "choose", "confirm", "line", "text"]),
    text,
    body: text.describe("Markdown, to be shown whole").optional(),
    options: list(option).optional(),
    recommended: text.optional(),
    multi: bool.optional(),
    risk: risk.optional(),
    parts: list(part).optional(),
    access: access.describe("what a yes lets a command do beside what its sandbox does anyway").optional(),
    scope: text.describe("what a yes for longer than once covers").optional(),
    timeoutMs: int.optional(),
    toolCallId: text.optional(),
    toolName: text.optional(),
    args: fields.optional(),
    intent: fields
      .describe("`effect`, real paths as `read`, `write`, `exec`, `command`, `cwd`, `env`, `place`, `hosts`")
      .optional(),
  }),
  own("answer", "the answer it got", {
    id: text,
    say: s.oneOf(["yes", "no"]),
    by: s.oneOf(["timeout", "interrupt", "nobody", "policy", "hook"]).optional(),
    option: text.optional(),
    words: text.optional(),
    choices: list(text).optional(),
    go: s.oneOf(["back", "on"]).optional(),
    holds: holds.optional(),
  }),
  own(
    "output",
    "what a command that a person typed has said so far: the end of it, and how many lines there were; without " +
      "`text` it is over, and `run` is what is recorded of it",
    { id: text, command: text, text: text.optional(), lines: int.optional(), run: s.unknown().optional() },
  ),
  own("status", "a short text to show beside the conversation; without it, it is taken away", {
    key: text,
    text: text.optional(),
  }),
  own("panel", "something to look at beside the conversation; without it, it is taken away", {
    key: text,
    panel: panel.optional(),
  }),
  own("command_result", "what a slash command has to show; `agent_settled` follows", {
    name: text,
    content: shown,
    details: fields.optional(),
    isError: bool,
  }),
  own(
    "files_changed",
    "what the turn has changed so far; `turn` as in `pith changes --json`. Told with the requests that follow " +
      "changes, and with `final` once the model has stopped: before `agent_end`, or after it when the turn was cut short",
    {
      turn: text,
      files: list(
        s.object({ path: text, change: s.oneOf(["added", "modified", "deleted"]), added: int, removed: int }),
      ),
      more: int.optional(),
      final: bool.optional(),
    },
  ),
  own(
    "edit_preview",
    "what an `edit` that is still arriving would change, as far as it can be told; at most every 150 ms, nothing is " +
      "written by it, and it comes before the `tool_execution_start` of the call",
    { toolCallId: text, toolName: text, files: list(fileChange) },
  ),
  own("ttsr_triggered", "rules that the output of the model broke, and when it gets them", {
    rules: list(s.object({ name: text, path: text })),
    how: s.oneOf(["stopped", "result", "after"]),
  }),
  own("session_tree", "the conversation goes on at another place of its tree; without an id it is its beginning", {
    oldLeafId: text.optional(),
    newLeafId: text.optional(),
    summaryEntry: s.unknown().describe("what was left, summarized at the new place").optional(),
  }),
  own("notice", "a remark for people", { level: s.oneOf(["info", "warn", "error"]), text }),
] as const;

export type WireEvent = s.Infer<(typeof events)[number]["schema"]>;
export type WireDelta = s.Infer<(typeof pieces)[number]>;
export type WireMessage = s.Infer<typeof message>;

/** The first line of JSON mode. */
export const header = event(
  "session",
  "first in JSON mode: the session's header; and again where another session goes on (`/handoff`)",
  {
    version: int,
    id: text,
    timestamp: text,
    cwd: text,
    parentSession: text.optional(),
    title: text.optional(),
    events: int.describe("ours: the version of this page"),
  } satisfies Record<Exclude<keyof Header, "type"> | "events", unknown>,
);
