import { expect, test } from "bun:test";
import type { Event, TurnEnd } from "@pith/agent";
import type { StreamEvent } from "@pith/llm";
import { approval, asking, assistant, call, entry, intent, result, user } from "../test/fake.ts";
import { EventEncoder } from "./encoder.ts";
import { events as rows, type WireEvent } from "./event.ts";

function wired(...events: Event[]): WireEvent[] {
  const out: WireEvent[] = [];
  const wire = new EventEncoder(
    (event) => out.push(event),
    () => 2000,
  );
  for (const event of events) wire.take(event);
  for (const event of out) expect(faultsOf(event)).toEqual([]);
  return out;
}
/** Faults that the published schema finds in an event. */
function faultsOf(event: WireEvent): unknown {
  const written = JSON.parse(JSON.stringify(event));
  const read = rows.find(({ type }) => type === event.type)?.schema.safeParse(written);
  if (!read?.success) return [event.type, read?.error.issues];
  expect(read.data).toEqual(written);
  return [];
}
const types = (events: readonly WireEvent[]) =>
  events.map((event) => {
    if (event.type === "message_update") return event.assistantMessageEvent.type;
    return event.type === "message_start" || event.type === "message_end"
      ? `${event.type} ${event.message.role}`
      : event.type;
  });
const deltas = (...list: StreamEvent[]): Event => ({ type: "delta", deltas: list });
const idle = (end: TurnEnd): Event => ({ type: "turn", state: { name: "idle", end } });
const echo = call("c1", "bash", { command: "echo 1" });

/** Lines that pi 0.87 writes for one prompt, one bash call and the answer, without its system message. */
const recorded = [
  "agent_start",
  "turn_start",
  "message_start user",
  "message_end user",
  "message_start assistant",
  "toolcall_start",
  "toolcall_delta",
  "toolcall_end",
  "message_end assistant",
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
  "message_start toolResult",
  "message_end toolResult",
  "turn_end",
  "turn_start",
  "message_start assistant",
  "text_start",
  "text_delta",
  "text_end",
  "message_end assistant",
  "turn_end",
  "agent_end",
  "agent_settled",
];

const run: Event[] = [
  user("hi"),
  asking(1),
  deltas({ type: "start", responseId: "r1" }, { type: "call", index: 0, id: "c1", name: "bash" }),
  deltas(
    { type: "args", index: 0, delta: '{"command":"echo 1"}' },
    { type: "usage", usage: { input: 10, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 12 } },
    { type: "stop", reason: "toolUse" },
  ),
  entry(assistant([echo])),
  { type: "turn", state: { name: "running", calls: [echo] } },
  { type: "call", call: echo, intent },
  { type: "progress", call: echo, part: { kind: "prose", data: {}, text: "1\n" } },
  entry(result("c1", "bash", "1\n", { details: { kind: "run" } })),
  asking(2),
  deltas({ type: "start" }, { type: "text", index: 0, delta: "done" }, { type: "stop", reason: "stop" }),
  entry(assistant([{ type: "text", text: "done" }])),
  idle({ reason: "done" }),
];

test("a run has the events of pi, in pi's order", () => expect(types(wired(...run))).toEqual(recorded));

test("the events carry the fields that pi's have", () => {
  const out = wired(...run);
  const find = (type: string) =>
    out.find(
      (event) => event.type === type || (event.type === "message_update" && event.assistantMessageEvent.type === type),
    );
  expect(out.find((event) => event.type === "message_start" && event.message.role === "assistant")).toEqual({
    type: "message_start",
    message: {
      role: "assistant",
      content: [],
      api: "openai-completions",
      provider: "mock",
      model: "mock-model",
      usage: {
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 0,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
      stopReason: "pending",
      timestamp: 2000,
      responseId: "r1",
    },
  });
  expect(find("toolcall_start")).toMatchObject({
    assistantMessageEvent: { type: "toolcall_start", contentIndex: 0, id: "c1", toolName: "bash" },
  });
  expect(find("toolcall_end")).toMatchObject({
    usage: { input: 10, totalTokens: 12 },
    assistantMessageEvent: { contentIndex: 0, toolCall: echo },
  });
  expect(find("tool_execution_start")).toEqual({
    type: "tool_execution_start",
    toolCallId: "c1",
    toolName: "bash",
    args: { command: "echo 1" },
  });
  expect(find("tool_execution_update")).toMatchObject({
    partialResult: { content: [{ type: "text", text: "1\n" }], details: { kind: "prose" } },
  });
  expect(find("tool_execution_end")).toEqual({
    type: "tool_execution_end",
    toolCallId: "c1",
    toolName: "bash",
    result: { content: [{ type: "text", text: "1\n" }], details: { kind: "run" } },
    isError: false,
  });
  expect(find("turn_end")).toMatchObject({
    message: { stopReason: "toolUse" },
    toolResults: [{ role: "toolResult", toolCallId: "c1" }],
  });
  const end = find("agent_end");
  expect(end).toMatchObject({ willRetry: false, end: { reason: "done" } });
  expect(end?.type === "agent_end" ? end.messages.map(({ role }) => role) : []).toEqual([
    "user",
    "assistant",
    "toolResult",
    "assistant",
  ]);
  expect(find("text_end")).toMatchObject({ assistantMessageEvent: { contentIndex: 0, content: "done" } });
});

test("a text block ends when the next block begins, and holds all that was said in it", () => {
  const reply = assistant([{ type: "thinking", thinking: "hm" }, { type: "text", text: "ab" }, echo]);
  const out = wired(
    user("x"),
    asking(1),
    deltas(
      { type: "thinking", index: 0, delta: "h" },
      { type: "thinking", index: 0, delta: "m" },
      { type: "text", index: 1, delta: "a" },
    ),
    deltas(
      { type: "text", index: 1, delta: "b" },
      { type: "call", index: 2, id: "c1", name: "bash" },
      { type: "stop", reason: "toolUse" },
    ),
    entry(reply),
  );
  const updates = out.flatMap((event) => (event.type === "message_update" ? [event.assistantMessageEvent] : []));
  expect(updates.map(({ type }) => type)).toEqual([
    "thinking_start",
    "thinking_delta",
    "thinking_delta",
    "thinking_end",
    "text_start",
    "text_delta",
    "text_delta",
    "text_end",
    "toolcall_start",
    "toolcall_end",
  ]);
  expect(updates[3]).toMatchObject({ content: "hm" });
  expect(updates[7]).toMatchObject({ content: "ab" });
});

test("steering begins a new turn after the results of the one before", () => {
  const out = types(
    wired(
      ...run.slice(0, 9),
      { type: "queue", waiting: [{ id: "1", when: "steer", text: "wait", images: 0 }] },
      user("wait"),
      { type: "queue", waiting: [] },
      ...run.slice(9),
    ),
  );
  expect(out.slice(13)).toEqual([
    "message_end toolResult",
    "queue_update",
    "turn_end",
    "turn_start",
    "message_start user",
    "message_end user",
    "queue_update",
    ...recorded.slice(16),
  ]);
});

test("a call that was refused before it started is paired all the same", () => {
  const out = types(
    wired(
      user("x"),
      asking(1),
      entry(assistant([echo])),
      entry(result("c1", "bash", "Not run", { isError: true })),
      idle({ reason: "done" }),
    ),
  );
  expect(out.filter((type) => type.startsWith("tool"))).toEqual(["tool_execution_start", "tool_execution_end"]);
});

test("an answer that is retried ends before the next one begins", () => {
  const failure = { kind: "cut", message: "cut off" } as const;
  const out = wired(
    user("x"),
    asking(1),
    deltas({ type: "text", index: 0, delta: "half" }, { type: "fail", failure }),
    { type: "turn", state: { name: "retrying", failure, attempt: 1, delayMs: 5 } },
    asking(1),
    deltas({ type: "text", index: 0, delta: "whole" }, { type: "stop", reason: "stop" }),
    entry(assistant([{ type: "text", text: "whole" }])),
    idle({ reason: "done" }),
  );
  expect(types(out).filter((type) => !type.startsWith("text"))).toEqual([
    ...recorded.slice(0, 5),
    "message_end assistant",
    "auto_retry_start",
    "message_start assistant",
    "auto_retry_end",
    "message_end assistant",
    ...recorded.slice(-3),
  ]);
  const cut = out.find((event) => event.type === "message_end" && event.message.role === "assistant");
  expect(cut).toMatchObject({
    message: { content: [{ type: "text", text: "half" }], stopReason: "error", errorMessage: "cut off" },
  });
});

test("an interrupted run ends every start, whether or not anything was said", () => {
  for (const said of [[], [deltas({ type: "text", index: 0, delta: "ha" })]]) {
    const out = wired(user("x"), asking(1), ...said, idle({ reason: "interrupted", message: "stop" }));
    const names = types(out);
    expect(names.filter((type) => type === "message_start assistant")).toHaveLength(1);
    expect(names.slice(-4)).toEqual(["message_end assistant", "turn_end", "agent_end", "agent_settled"]);
    expect(out.find((event) => event.type === "turn_end")).toMatchObject({
      message: { stopReason: "aborted", errorMessage: "stop" },
    });
    expect(out.find((event) => event.type === "agent_end")).toMatchObject({
      end: { reason: "interrupted", message: "stop" },
    });
  }
});

test("questions, answers, notices, changed files and entries of other kinds are passed on", () => {
  const out = wired(
    { type: "notice", notice: { level: "warn", text: "careful" } },
    { type: "changed", turn: "t", files: [{ path: "a", change: "modified", added: 3, removed: 2 }] },
    approval("q", "bash runs a command", echo),
    { type: "answered", id: "q", answer: { say: "no", words: "not now" } },
    {
      type: "entry",
      entry: {
        type: "custom",
        customType: "pith.inbox",
        id: "a",
        parentId: null,
        timestamp: "1970-01-01T00:00:01.000Z",
      },
    },
    {
      type: "entry",
      entry: {
        type: "custom_message",
        customType: "pith.note",
        content: "go on",
        display: true,
        id: "b",
        parentId: "a",
        timestamp: "1970-01-01T00:00:01.000Z",
      },
    },
  );
  expect(out[0]).toEqual({ type: "notice", level: "warn", text: "careful" });
  expect(out.splice(1, 1)).toEqual([
    { type: "files_changed", turn: "t", files: [{ path: "a", change: "modified", added: 3, removed: 2 }] },
  ]);
  expect(out[1]).toEqual({
    type: "question",
    id: "q",
    agent: "main",
    form: "approval",
    text: "bash runs a command",
    intent: { effect: "read" },
    toolCallId: "c1",
    toolName: "bash",
    args: { command: "echo 1" },
  });
  expect(out[2]).toEqual({ type: "answer", id: "q", say: "no", words: "not now" });
  expect(types(out).slice(3)).toEqual(["entry_appended", "message_start custom", "message_end custom"]);
  expect(out[4]).toMatchObject({
    message: { role: "custom", customType: "pith.note", content: "go on", display: true, timestamp: 1000 },
  });
});

test("a run that was cut short is settled, also where something waits for the next prompt", () => {
  const out = types(
    wired(
      user("x"),
      asking(1),
      { type: "queue", waiting: [{ id: "1", when: "after", text: "later", images: 0 }] },
      idle({ reason: "interrupted", message: "stop" }),
    ),
  );
  expect(out.at(-1)).toBe("agent_settled");
});

const noted = (more: object): Event => ({
  type: "entry",
  entry: { id: "a", parentId: null, timestamp: "1970-01-01T00:00:01.000Z", ...more } as never,
});

test("what is done between turns is told and begins none", () => {
  const out = types(
    wired(
      noted({ type: "model_change", provider: "mock", modelId: "other" }),
      noted({ type: "session_info", name: "my work" }),
      noted({ type: "thinking_level_change", thinkingLevel: "high" }),
      noted({
        type: "message",
        message: {
          role: "bashExecution",
          command: "ls",
          output: "a\n",
          exitCode: 0,
          cancelled: false,
          truncated: false,
          timestamp: 1,
        },
      }),
    ),
  );
  expect(out).toEqual([
    "entry_appended",
    "entry_appended",
    "session_info_changed",
    "entry_appended",
    "thinking_level_changed",
    "message_start bashExecution",
    "message_end bashExecution",
  ]);
});

test("who waits for the end of a prompt that never began is told that there is nothing to wait for", () => {
  const failure = { kind: "internal", message: "a hook broke" } as const;
  expect(types(wired(idle({ reason: "failed", failure })))).toEqual(["agent_settled"]);
});

test("a summary that is asked for again is told as pi tells it", () => {
  const waiting = { is: "waiting", attempt: 1, most: 2, delayMs: 5, message: "busy" } as const;
  const summing = (of: "idle" | "branch", now: Extract<Event, { type: "summing" }>["now"]): Event => ({
    type: "summing",
    of,
    now,
  });
  expect(
    wired(
      summing("idle", waiting),
      summing("idle", { is: "asking" }),
      summing("branch", { is: "asking" }),
      summing("branch", { is: "over" }),
    ),
  ).toEqual([
    { type: "summarization_retry_scheduled", attempt: 1, maxAttempts: 2, delayMs: 5, errorMessage: "busy" },
    { type: "summarization_retry_attempt_start", source: "compaction", reason: "threshold" },
    { type: "summarization_retry_attempt_start", source: "branchSummary" },
    { type: "summarization_retry_finished" },
  ]);
});
