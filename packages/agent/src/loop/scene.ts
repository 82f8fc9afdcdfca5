import type { StreamEvent, ToolCall } from "@pith/llm";
import type { Event, Panel, Question, TurnState } from "../event.ts";
import type { Entry } from "../session/entry.ts";
import type { QueuedInput } from "../session/queue.ts";
import type { SessionTree } from "../session/tree.ts";
import type { Intent } from "../tool/intent.ts";
import type { Outcome } from "../tool/outcome.ts";

/**
 * Current state of a conversation. User interfaces read it instead of deriving it from events; one that joins late
 * begins with it.
 */
export interface Scene {
  /** Undefined before the first turn. */
  turn: TurnState | undefined;
  /** The streaming answer; empty if there is none. */
  answer: { text: string; thinking: string };
  calls: readonly RunningCall[];
  /** Waiting input. */
  queue: readonly QueuedInput[];
  /** Oldest first. */
  questions: readonly Question[];
  /** Commands that the user runs, with their output so far. */
  outputs: Readonly<Record<string, { command: string; text: string }>>;
  status: Readonly<Record<string, string>>;
  panels: Readonly<Record<string, Panel>>;
  /** Spent in this process, failed attempts included. */
  spent: { tokens: number; cost: number };
  /** Tokens of the last request and its answer; undefined before the first. */
  context: number | undefined;
}

export interface RunningCall {
  call: ToolCall;
  intent: Intent;
  /** Its last partial outcome. */
  part?: Outcome;
}

const nothing = { text: "", thinking: "" };

export const emptyScene: Scene = {
  turn: undefined,
  answer: nothing,
  calls: [],
  queue: [],
  questions: [],
  outputs: {},
  status: {},
  panels: {},
  spent: { tokens: 0, cost: 0 },
  context: undefined,
};

/** The state when a session is opened. */
export function sceneOf(tree: SessionTree): Scene {
  const reply = tree.last("assistant");
  const answered = reply?.type === "message" && reply.message.role === "assistant" ? reply.message : undefined;
  return { ...emptyScene, context: answered?.usage?.totalTokens || undefined };
}

/** The state after an event; pure, at a cost that does not grow with the conversation. */
export function sceneAfter(scene: Scene, event: Event): Scene {
  switch (event.type) {
    case "delta":
      return { ...scene, answer: answerAfter(scene.answer, event.deltas) };
    case "entry":
      return entered(scene, event.entry);
    case "call":
      return { ...scene, calls: [...scene.calls, { call: event.call, intent: event.intent }] };
    case "progress": {
      const { call, part } = event;
      return { ...scene, calls: scene.calls.map((one) => (one.call.id === call.id ? { ...one, part } : one)) };
    }
    case "question":
      return { ...scene, questions: [...scene.questions, event.question] };
    case "answered":
      return { ...scene, questions: scene.questions.filter(({ id }) => id !== event.id) };
    case "turn":
      return turned(scene, event.state);
    case "queue":
      return { ...scene, queue: event.waiting };
    case "output": {
      const { id, command, text } = event;
      return { ...scene, outputs: changed(scene.outputs, id, text === undefined ? undefined : { command, text }) };
    }
    case "status":
      return { ...scene, status: changed(scene.status, event.key, event.text) };
    case "panel":
      return { ...scene, panels: changed(scene.panels, event.key, event.panel) };
    case "compacted":
      return { ...scene, context: event.tokensAfter ?? scene.context };
    default:
      return scene;
  }
}

function answerAfter(answer: Scene["answer"], deltas: readonly StreamEvent[]): Scene["answer"] {
  let { text, thinking } = answer;
  for (const delta of deltas)
    if (delta.type === "text") text += delta.delta;
    else if (delta.type === "thinking") thinking += delta.delta;
  return { text, thinking };
}

function turned(scene: Scene, turn: TurnState): Scene {
  if (turn.name === "running") return { ...scene, turn };
  return { ...scene, turn, answer: nothing, calls: turn.name === "idle" ? [] : scene.calls };
}

function entered(scene: Scene, entry: Entry): Scene {
  if (entry.type === "custom" && entry.customType === "pith.spent") {
    const { usage } = entry.data as { usage: { totalTokens: number; cost: { total: number } } };
    return { ...scene, spent: spentAfter(scene, usage) };
  }
  if (entry.type !== "message") return scene;
  const { message } = entry;
  if (message.role === "assistant") {
    const context = message.usage.totalTokens || scene.context;
    return { ...scene, answer: nothing, spent: spentAfter(scene, message.usage), context };
  }
  if (message.role !== "toolResult") return scene;
  return { ...scene, calls: scene.calls.filter(({ call }) => call.id !== message.toolCallId) };
}

const spentAfter = ({ spent }: Scene, usage: { totalTokens: number; cost: { total: number } }): Scene["spent"] => ({
  tokens: spent.tokens + usage.totalTokens,
  cost: spent.cost + usage.cost.total,
});

/** Sets or removes one row of a table. */
function changed<T>(table: Readonly<Record<string, T>>, key: string, value: T | undefined): typeof table {
  const { [key]: _, ...others } = table;
  return value === undefined ? others : { ...others, [key]: value };
}
