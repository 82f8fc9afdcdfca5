// A conversation over a list of replies, with everything it announced, for tests of this package.
import type { Model, Request, Stream, StreamEvent } from "@pith/llm";
import type { Event } from "../event.ts";
import { Channel } from "../loop/channel.ts";
import { Conversation, type ConversationOptions } from "../loop/conversation.ts";
import type { Hook } from "../loop/hook.ts";
import { Points } from "../loop/point.ts";
import { Questions } from "../loop/question.ts";
import type { Entry } from "../session/entry.ts";
import { Journal } from "../session/journal.ts";
import { memoryStorage, type Storage } from "../session/store/storage.ts";
import { touch } from "../tool/intent.ts";
import type { Call, Effect, Outcome } from "../tool/outcome.ts";
import { Registry } from "../tool/registry.ts";
import { object } from "../tool/schema.ts";
import type { Tool } from "../tool/tool.ts";

export const model: Model = {
  vendor: "test",
  id: "one",
  api: "test",
  name: "one",
  contextWindow: 1000,
  maxOutput: 100,
  input: ["text"],
  reasoning: false,
  cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
  known: true,
};

/** A tool that does one thing: of an effect, to paths, beside others or alone. */
export interface Plain<I> {
  name: string;
  input?: Tool<I>["input"];
  effect?: Effect;
  paths?(input: I): string[];
  beside?: boolean;
  run(input: I, call: Call): Promise<Outcome>;
}

export function plain<I>({ name, input, effect = "read", paths, beside = effect === "read", run }: Plain<I>): Tool<I> {
  return {
    name,
    about: "",
    input: input ?? (object({}) as unknown as Tool<I>["input"]),
    beside: () => beside,
    looks: effect === "read" ? true : undefined,
    prepare: (input) => ({
      effect,
      paths: (paths?.(input) ?? []).map((path) => touch(effect === "net" ? "read" : effect, path)),
      run: (call) => run(input, call),
    }),
  };
}

export const says = (text: string): StreamEvent[] => [
  { type: "text", index: 0, delta: text },
  { type: "stop", reason: "stop" },
];

export const calls = (...list: { name: string; input: unknown; id?: string }[]): StreamEvent[] => [
  ...list.flatMap(({ name, input, id }, index): StreamEvent[] => [
    { type: "call", index, id: id ?? `c${index}`, name },
    { type: "args", index, delta: typeof input === "string" ? input : JSON.stringify(input) },
  ]),
  { type: "stop", reason: "toolUse" },
];

export interface Scripted {
  conversation: Conversation;
  channel: Channel;
  questions: Questions;
  events: Event[];
  requests: Request[];
  storage: Storage;
  journal: Journal;
  /** The text of every tool result, in the order of the record. */
  results(): string[];
  entries(): Entry[];
}

export function scripted(
  replies: (readonly StreamEvent[])[],
  more: Partial<ConversationOptions> & {
    hooks?: readonly Hook[];
    asks?: "person" | "nobody";
    list?: Tool[];
    storage?: Storage;
    onEvent?: (event: Event) => void;
  } = {},
): Scripted {
  const storage = more.storage ?? memoryStorage();
  const clock = { now: () => 1_700_000_000_000 };
  const options = { storage, clock, onFault: () => {} };
  const opened = Journal.open(options);
  const journal =
    more.journal ??
    (opened.ok ? opened.value.journal : Journal.create({ ...options, storage: () => storage }, { cwd: "/project" }));
  const requests: Request[] = [];
  const stream: Stream = async function* (request) {
    requests.push({ ...request, messages: [...request.messages] });
    yield replies[requests.length - 1] ?? says("(the script is over)");
  };
  const events: Event[] = [];
  const channel = more.channel ?? new Channel(journal);
  const questions = new Questions(channel, "main", more.asks ?? "nobody");
  const tools = new Registry(more.list ?? []);
  const conversation = new Conversation({
    journal,
    channel,
    questions,
    model: () => model,
    stream,
    prompt: () => ({ system: ["be good"], tools: tools.specs }),
    tools,
    points: new Points(more.hooks ?? []),
    clock,
    opening: () => [],
    sync: "turn",
    ...more,
  });
  channel.subscribe((event) => {
    events.push(event);
    more.onEvent?.(event);
  });
  const entries = () => journal.tree.pathTo();
  const results = () =>
    entries().flatMap((entry) =>
      entry.type === "message" && entry.message.role === "toolResult"
        ? [entry.message.content.map((part) => (part.type === "text" ? part.text : "")).join("")]
        : [],
    );
  return { conversation, channel, questions, events, requests, storage, journal, results, entries };
}
