import { recordOf, shorten, whenAborted } from "@pith/kit";
import type {
  AssistantMessage,
  Message,
  Model,
  Stream,
  StreamEvent,
  ToolCall,
  ToolResultMessage,
  UserMessage,
} from "@pith/llm";
import type { Event } from "../../event.ts";
import { Channel } from "../../loop/channel.ts";
import { Conversation } from "../../loop/conversation.ts";
import type { Hook } from "../../loop/hook.ts";
import { Points } from "../../loop/point.ts";
import { Questions } from "../../loop/question.ts";
import { type Data, type Kind, kindOf } from "../../tool/kind.ts";
import type { Outcome } from "../../tool/outcome.ts";
import { Registry } from "../../tool/registry.ts";
import { refusal } from "../../tool/result.ts";
import { Schema } from "../../tool/schema.ts";
import type { Tool } from "../../tool/tool.ts";
import type { Custom, Entry, MessageEntry } from "../entry.ts";
import { Journal } from "../journal.ts";
import type { DeliveryTime, UserInput } from "../queue.ts";
import { memoryStorage } from "../store/storage.ts";
import { textOf } from "../text.ts";
import { announced } from "./announced.ts";

export interface ReplayResult {
  /** Differences between replay and record; empty if they agree. */
  differences: string[];
}

/**
 * Replays a recorded path through the loop: replies and results come from the record, everything else happens again.
 * `tell` gets the events.
 */
export async function replay(path: readonly Entry[], tell: (event: Event) => void): Promise<ReplayResult> {
  const script = new Script(path);
  const clock = { now: () => script.now };
  const journal = Journal.create({ clock, onFault: () => {}, storage: () => memoryStorage() }, { cwd: "/" });
  const said: Message[] = [];
  const tellWhole = (event: Event): void => {
    tell(event);
    const more = event.type === "entry" ? announced(event.entry, said) : undefined;
    if (more) tell(more);
  };
  const channel = new Channel(journal);
  const tools = new Registry(script.tools());
  const conversation = new Conversation({
    journal,
    channel,
    questions: new Questions(channel, "main", "nobody"),
    model: () => script.model,
    stream: script.stream(() => conversation.interrupt("interrupted")),
    prompt: () => ({ system: [], tools: tools.specs }),
    tools,
    points: new Points([script.hook(tellWhole)]),
    clock,
    opening: () => [],
    sync: "never",
  });
  channel.subscribe((event) => {
    if (isMadeUp(event)) return;
    script.before(event, tellWhole);
    tell(asRecorded(event));
    if (event.type !== "entry" || event.entry.type !== "message") return;
    said.push(event.entry.message);
    script.reached(event.entry.message);
    for (const queued of script.takeQueued()) {
      script.showUntil(queued.at, tellWhole);
      void conversation.send(queued.input, queued.when);
    }
  });
  for (let step = script.next(); step; step = script.next()) {
    if (step.do === "show") tellWhole({ type: "entry", entry: step.entry });
    else await conversation.send(step.input);
  }
  return { differences: compare(script.messages, said) };
}

/** Stands for the answer of a killed turn, which the record lacks; not part of the conversation. */
const noAnswer = "The record has no further answer.";
const isMadeUp = (event: Event): boolean =>
  event.type === "entry" &&
  event.entry.type === "message" &&
  event.entry.message.role === "assistant" &&
  event.entry.message.errorMessage === noAnswer;

function asRecorded(event: Event): Event {
  if (event.type !== "turn" || event.state.name !== "idle" || event.state.end.reason !== "failed") return event;
  if (event.state.end.failure.message !== noAnswer) return event;
  return { type: "turn", state: { name: "idle", end: { reason: "interrupted", message: "The run ended here." } } };
}

type Step = { do: "send"; input: UserInput } | { do: "show"; entry: Entry };

/** A record to be replayed: the next step, and the position. */
class Script {
  readonly messages: Message[];
  readonly #entries: readonly Entry[];
  readonly #results: ReadonlyMap<string, ToolResultMessage>;
  /** In sending order. */
  readonly #queued: ScriptedInput[];
  /** Entries that the loop writes itself for queued input. */
  readonly #admitted: ReadonlySet<string>;
  /** Question ids by call. */
  readonly #questions = new Map<unknown, Set<unknown>>();
  /** Calls of the current reply, resolved when they have their result. */
  readonly #ended = new Map<string, PromiseWithResolvers<void>>();
  #calls: readonly ToolCall[] = [];
  #at = 0;

  constructor(path: readonly Entry[]) {
    this.#entries = path;
    const messages = path.filter((entry) => entry.type === "message");
    this.messages = messages.map(({ message }) => message).filter(isSpoken);
    const results = this.messages.filter((message) => message.role === "toolResult");
    this.#results = new Map(results.map((message) => [message.toolCallId, message]));
    this.#queued = queuedIn(path);
    for (const entry of path) {
      if (entry.type !== "custom" || entry.customType !== "pith.question") continue;
      const { id, toolCallId } = recordOf(entry.data);
      this.#questions.set(toolCallId, (this.#questions.get(toolCallId) ?? new Set()).add(id));
    }
    this.#admitted = new Set(messages.flatMap(({ inbox }) => inbox ?? []));
  }

  get now(): number {
    return Date.parse(this.#entries[Math.min(this.#at, this.#entries.length - 1)]?.timestamp ?? "") || 0;
  }

  get model(): Model {
    const reply = this.messages.find((message) => message.role === "assistant");
    const { provider: vendor = "none", model: id = "none", api = "none" } = reply ?? {};
    return {
      vendor,
      id,
      api,
      name: id,
      contextWindow: 1_000_000_000,
      maxOutput: 1_000_000,
      input: ["text", "image"],
      reasoning: true,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      known: false,
    };
  }

  /** The user's next step outside of a turn. Entries that a turn should have produced and did not are skipped. */
  next(): Step | undefined {
    while (this.#at < this.#entries.length) {
      const entry = this.#entries[this.#at] as Entry;
      if (isSent(entry)) return { do: "send", input: inputOf(entry.message) };
      this.#at++;
      if (entry.type !== "message") return { do: "show", entry };
    }
    return undefined;
  }

  /** Emits entries recorded before this event, inside of a turn. */
  before(event: Event, tell: (event: Event) => void): void {
    const { type } = event;
    if (type === "turn" && event.state.name === "running") {
      this.#calls = event.state.calls;
      this.#ended.clear();
      for (const { id } of this.#calls) this.#ended.set(id, Promise.withResolvers());
    }
    const asks = type === "turn" && event.state.name === "asking";
    const answers = type === "entry" && event.entry.type === "message" && event.entry.message.role !== "user";
    const next = this.#next((entry) => entry.type === "message");
    if ((asks || answers) && next !== -1) this.showUntil(next, tell);
  }

  /** Emits entries up to an index, except those that the loop writes itself. */
  showUntil(end: number, tell: (event: Event) => void): void {
    for (; this.#at < end; this.#at++) {
      const entry = this.#entries[this.#at] as Entry;
      if (!this.#admitted.has(entry.id)) tell({ type: "entry", entry });
    }
  }

  /** Index of the next entry of a kind; -1 if there is none. */
  #next(isIt: (entry: Entry) => boolean): number {
    return this.#entries.findIndex((entry, at) => at >= this.#at && isIt(entry));
  }

  /** Emits entries up to the last matching one before the next message. */
  #showThrough(isIt: (entry: Custom) => boolean, tell: (event: Event) => void): void {
    const next = this.#next((entry) => entry.type === "message");
    const ahead = this.#entries.slice(this.#at, next === -1 ? undefined : next);
    this.showUntil(this.#at + ahead.findLastIndex((entry) => entry.type === "custom" && isIt(entry)) + 1, tell);
  }

  /** Advances to a message that the loop has reached. */
  reached(message: Message): void {
    const ahead = this.#next((entry) => entry.type === "message" && entry.message.role === message.role);
    if (ahead !== -1) this.#at = ahead + 1;
    if (message.role === "toolResult") this.#ended.get(message.toolCallId)?.resolve();
  }

  /** Input that arrived before the next message. */
  takeQueued(): ScriptedInput[] {
    const next = this.#next((entry) => entry.type === "message");
    const later = next === -1 ? -1 : this.#queued.findIndex(({ at }) => at >= next);
    return this.#queued.splice(0, later === -1 ? this.#queued.length : later);
  }

  stream(interrupt: () => Promise<void>): Stream {
    const script = this;
    return async function* (_, signal) {
      const reply = script.#nextReply();
      if (!reply) return yield [{ type: "fail", failure: { kind: "malformed", message: noAnswer } }];
      yield eventsOf(reply);
      if (reply.stopReason === "aborted") {
        void interrupt();
        await whenAborted(signal).promise;
      }
    };
  }

  tools(): Tool[] {
    const replies = this.messages.filter((message) => message.role === "assistant");
    const calls = replies.flatMap(({ content }) => content.filter((part) => part.type === "toolCall"));
    return [...new Set(calls.map(({ name }) => name))].map((name) => ({
      name,
      about: "",
      input: anything,
      prepare: () => ({ effect: "read", paths: [], run: async (call) => this.#outcome(call.id) }),
    }));
  }

  /** Hooks that answer calls from the record and continue a turn where it was continued. */
  hook(tell: (event: Event) => void): Hook {
    return {
      name: "replay",
      call: async ({ call, intent }) => {
        const before = this.#calls[this.#calls.findIndex(({ id }) => id === call.id) - 1];
        await this.#ended.get(before?.id ?? "")?.promise;
        const asked = this.#questions.get(call.id);
        const isAnswer = ({ customType, data }: Custom) =>
          customType === "pith.answer" && asked?.has(recordOf(data).question) === true;
        this.#showThrough(isAnswer, tell);
        const result = this.#results.get(call.id);
        if (!result) return { do: "allow" };
        // The call ran after the answer and before its effects, as it does live.
        if (result.details?.allowed !== undefined) tell({ type: "call", call, intent });
        return { do: "replace", outcome: this.#outcome(call.id) };
      },
      settle: () => {
        this.#showThrough(({ customType }) => customType === "pith.changed", tell);
        const at = this.#next(({ type }) => type !== "custom");
        const entry = this.#entries[at];
        if (entry?.type !== "custom_message" || entry.customType !== "pith.note" || typeof entry.content !== "string")
          return { do: "done" };
        this.#at = at + 1;
        return { do: "go on", note: entry.content };
      },
    };
  }

  #nextReply(): AssistantMessage | undefined {
    const at = this.#next((entry) => isSent(entry) || (entry.type === "message" && entry.message.role === "assistant"));
    const entry = this.#entries[at];
    return entry?.type === "message" && entry.message.role === "assistant" ? entry.message : undefined;
  }

  #outcome(id: string): Outcome {
    const result = this.#results.get(id);
    if (!result) return refusal("The record holds no result of this call.");
    const { kind: _, meta: __, ...data } = result.details ?? {};
    const images = result.content.filter((part) => part.type === "image");
    const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    const failed = result.isError || undefined;
    return { kind: kindOf(result.details) as Kind, data: data as Data["prose"], text, images, failed };
  }
}

interface ScriptedInput {
  /** Index of the entry after which it is sent. */
  at: number;
  input: UserInput;
  when: DeliveryTime;
}

/**
 * Queued input that was delivered. It is sent when it arrived; but if other input was delivered in between, after that,
 * so that it comes in its place however much was delivered at once.
 */
function queuedIn(path: readonly Entry[]): ScriptedInput[] {
  const deliveries = new Map(
    path.flatMap((entry, at) => (entry.type === "message" && entry.inbox ? [[entry.inbox, at]] : [])),
  );
  const queued = path.flatMap((entry, at): ScriptedInput[] => {
    const delivery = deliveries.get(entry.id);
    if (delivery === undefined || entry.type !== "custom") return [];
    const { when, ...input } = (entry.data ?? {}) as UserInput & { when?: DeliveryTime };
    return [{ at: Math.max(at, heardBefore(path, delivery)), input, when: when === "after" ? "after" : "steer" }];
  });
  return queued.sort((a, b) => a.at - b.at);
}

/** Index of the last user message before a group of messages delivered together. */
function heardBefore(path: readonly Entry[], at: number): number {
  const isHeard = (entry: Entry) => entry.type === "message" && entry.message.role === "user";
  const reply = path.findLastIndex((entry, index) => index < at && entry.type === "message" && !isHeard(entry));
  return path.findLastIndex((entry, index) => index < reply && isHeard(entry));
}

const anything = new Schema<unknown>({}, (value) => value);

/** True for input that was sent outside of a turn. */
const isSent = (entry: Entry): entry is MessageEntry & { message: UserMessage } =>
  entry.type === "message" && entry.message.role === "user" && !entry.inbox;

const isSpoken = (message: { role: string }) =>
  message.role === "user" || message.role === "assistant" || message.role === "toolResult";

const inputOf = ({ content }: UserMessage): UserInput => ({
  text: textOf(content),
  images: typeof content === "string" ? [] : content.filter((part) => part.type === "image"),
});

function eventsOf(reply: AssistantMessage): StreamEvent[] {
  const { cost: _, ...usage } = reply.usage;
  const events: StreamEvent[] = [...reply.content.flatMap(partEvents), { type: "usage", usage }];
  if (reply.stopReason === "aborted") return events;
  if (reply.stopReason !== "error") return [...events, { type: "stop", reason: reply.stopReason }];
  return [...events, { type: "fail", failure: { kind: "server", message: reply.errorMessage ?? "" } }];
}

function partEvents(part: AssistantMessage["content"][number], index: number): StreamEvent[] {
  if (part.type === "text") return [{ type: "text", index, delta: part.text }, ...signature(part.textSignature, index)];
  if (part.type === "thinking")
    return [{ type: "thinking", index, delta: part.thinking }, ...signature(part.thinkingSignature, index)];
  return [
    { type: "call", index, id: part.id, name: part.name },
    { type: "args", index, delta: part.rawArguments ?? JSON.stringify(part.arguments) },
  ];
}

const signature = (text: string | undefined, index: number): StreamEvent[] =>
  text ? [{ type: "signature", index, signature: text }] : [];

/** Compares messages by speaker, order and content; times, ids and details may differ. */
function compare(recorded: readonly Message[], said: readonly Message[]): string[] {
  const differences: string[] = [];
  for (let at = 0; at < Math.max(recorded.length, said.length) && differences.length < 20; at++) {
    const [before, now] = [recorded[at], said[at]].map((message) => (message ? outline(message) : "nothing"));
    if (before !== now)
      differences.push(`message ${at + 1}: recorded ${quoted(before ?? "")}, replayed ${quoted(now ?? "")}`);
  }
  return differences;
}

function outline(message: Message): string {
  if (typeof message.content === "string") return `${message.role} ${message.content}`;
  const parts = message.content.map((part) => {
    if (part.type === "text") return part.text;
    if (part.type === "thinking") return `(${part.thinking})`;
    return part.type === "toolCall" ? `${part.name}(${JSON.stringify(part.arguments)})` : part.data.slice(0, 40);
  });
  return `${message.role} ${parts.filter((part) => part !== "").join("\n")}`;
}

const quoted = (text: string) => JSON.stringify(shorten(text, 120));
