import {
  Channel,
  Conversation,
  type Event,
  type Hook,
  Journal,
  memoryStorage,
  Points,
  Questions,
  Registry,
  type Storage,
  type Tool,
  type TurnView,
} from "@pith/agent";
import { type AssistantMessage, type Model, noUsage, type Stream, type StreamEvent } from "@pith/llm";

// For tests of hooks: a model, what it says, a turn it is asked in, and a conversation with nothing but the hooks.

export const clock = { now: () => 1_700_000_000_000 };

export const model = (id = "a", more: Partial<Model> = {}): Model => ({
  vendor: "test",
  id,
  api: "test",
  name: id,
  contextWindow: 1000,
  maxOutput: 100,
  input: ["text"],
  reasoning: true,
  known: true,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  ...more,
});

export const reply = (more: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: "assistant",
  content: [{ type: "text", text: "x" }],
  api: "test",
  provider: "test",
  model: "a",
  usage: noUsage(),
  stopReason: "stop",
  timestamp: 0,
  ...more,
});

export const turn = (more: Partial<TurnView> = {}): TurnView => ({
  id: "turn",
  model: model(),
  step: 1,
  attempt: 1,
  goneOn: 0,
  signal: new AbortController().signal,
  ...more,
});

export const says = (text: string): StreamEvent[] => [
  { type: "text", index: 0, delta: text },
  { type: "stop", reason: "stop" },
];

/** A journal in memory: a fresh one, or the one that is there. */
export function journalIn(storage: Storage): Journal {
  const parts = { storage, clock, onFault: () => {} };
  const opened = Journal.open(parts);
  return opened.ok ? opened.value.journal : Journal.create({ ...parts, storage: () => storage }, { cwd: "/project" });
}

/** A conversation in which only these hooks and tools count. */
export function converse(
  stream: Stream,
  make: (journal: Journal, channel: Channel) => { hooks: readonly Hook[]; tools?: readonly Tool[] },
  storage: Storage = memoryStorage(),
) {
  const journal = journalIn(storage);
  const channel = new Channel(journal);
  const events: Event[] = [];
  channel.subscribe((event) => events.push(event));
  const { hooks, tools = [] } = make(journal, channel);
  const conversation = new Conversation({
    journal,
    channel,
    questions: new Questions(channel, "main", "nobody"),
    model: () => model(),
    stream,
    prompt: () => ({ system: [], tools: [] }),
    tools: new Registry(tools),
    points: new Points(hooks),
    clock,
    opening: () => [],
    sync: "never",
  });
  return { conversation, channel, journal, events, storage };
}
