import type { Clock } from "@pith/kit";
import type { Model, Stream, ToolSpec } from "@pith/llm";
import type { Answer, Arriving, Changed, Event, Notice, Question, TurnEnd } from "../event.ts";
import { Context, openCalls } from "../session/context.ts";
import type { Draft, Entry } from "../session/entry.ts";
import { Inbox, type Input, userDraft, type When } from "../session/inbox.ts";
import type { Journal } from "../session/journal.ts";
import type { Registry } from "../tool/registry.ts";
import { refusal, toMessage } from "../tool/result.ts";
import type { Behaviour } from "./hook.ts";
import { Points } from "./point.ts";
import { Questions } from "./question.ts";
import { runTurn, type TurnParts } from "./turn.ts";

export interface ConversationParts {
  journal: Journal;
  model: Model;
  stream: Stream;
  system: readonly string[];
  tools: Registry;
  /** What the model is told of the tools; the registry's own words when not given. */
  specs?: readonly ToolSpec[];
  behaviours: readonly Behaviour[];
  clock: Clock;
  asks: "person" | "nobody";
  /** Facts to record before the first input: model, prompt. */
  opening: readonly Draft[];
  /** When to wait for the disk. */
  sync: "turn" | "never";
}

/** One conversation: input goes in, events come out. It owns the running turn; everything else has its own owner. */
export class Conversation {
  readonly #parts: ConversationParts;
  readonly #points: Points;
  readonly #context: Context;
  readonly #inbox: Inbox;
  readonly #questions = new Questions();
  readonly #listeners = new Set<(event: Event) => void>();
  #opening: readonly Draft[];
  #model: Model;
  #running: { abort: AbortController; done: Promise<void> } | undefined;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#points = new Points(parts.behaviours);
    this.#context = new Context(parts.journal);
    this.#inbox = new Inbox(parts.journal);
    this.#opening = parts.opening;
    this.#model = parts.model;
  }

  subscribe(listener: (event: Event) => void): Disposable {
    this.#listeners.add(listener);
    if (!this.#inbox.empty) listener(this.#queueEvent());
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  /** Admits input, and runs a turn for it when none is running. Resolves when the turn that takes it has ended. */
  async send(given: Input, when: "now" | "steer" | "after" = "now"): Promise<void> {
    const input = await this.#points.input(given);
    if ("handled" in input) return;
    if (this.#running) {
      this.#announce({ type: "entry", entry: this.#inbox.admit(input, when === "after" ? "after" : "steer") });
      this.#announce(this.#queueEvent());
      return this.#running.done;
    }
    const abort = new AbortController();
    const done = this.#turn(input, abort);
    this.#running = { abort, done };
    return done;
  }

  /** Asks this model from the next turn on. */
  use(model: Model): void {
    this.#model = model;
    this.record({ type: "model_change", provider: model.vendor, modelId: model.id });
  }

  /** Something people should know that is not part of the conversation. */
  tell(notice: Notice): void {
    this.#announce({ type: "notice", notice });
  }

  /** What a turn did to files, told by whoever keeps count of it. */
  changed(changed: Changed): void {
    this.#announce({ type: "changed", ...changed });
  }

  /** What an arriving call would change, told by whoever watches it. */
  arriving(arriving: Arriving): void {
    this.#announce({ type: "arriving", ...arriving });
  }

  /** A fact that a behaviour or a tool wants remembered: appended, then announced. */
  record(draft: Draft): Entry {
    return this.#record(draft);
  }

  answer(question: string, answer: Answer): void {
    this.#questions.answer(question, answer);
  }

  /** Stops the running turn: its request, its tools, its questions. Resolves when all calls are answered. */
  async interrupt(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    await this.#running?.done;
  }

  async #turn(input: Input, abort: AbortController): Promise<void> {
    const { journal, sync } = this.#parts;
    let end: TurnEnd;
    try {
      this.#admit(input);
      do {
        const admitted = sync === "never" ? Promise.resolve() : journal.sync();
        end = await runTurn(this.#turnParts(abort.signal, admitted));
        await admitted;
        if (sync !== "never") await journal.sync();
        // What came in while the disk was busy begins the next round; nothing waits for a prompt that may never come.
      } while (end.reason === "done" && this.#deliver("steer") + this.#deliver("after") > 0);
    } finally {
      this.#running = undefined;
    }
    this.#announce({ type: "turn", state: { name: "idle", end } });
  }

  #turnParts(signal: AbortSignal, admitted: Promise<void>): TurnParts {
    return {
      ...this.#parts,
      model: this.#model,
      specs: this.#parts.specs ?? this.#parts.tools.specs,
      points: this.#points,
      signal,
      admitted,
      now: () => this.#parts.clock.now(),
      messages: () => this.#context.messages,
      record: (draft) => this.#record(draft),
      deliver: (when) => this.#deliver(when),
      announce: (event) => this.#announce(event),
      ...(this.#parts.asks === "person" ? { ask: (question) => this.#ask(question, signal) } : {}),
    };
  }

  #deliver(when: When): number {
    const entries = this.#inbox.deliver(when, this.#parts.clock.now());
    for (const entry of entries) this.#announce({ type: "entry", entry });
    if (entries.length > 0) this.#announce(this.#queueEvent());
    return entries.length;
  }

  /** Writes the input (and, before it, what a crash left open) with one write. */
  #admit(input: Input): void {
    const now = this.#parts.clock.now();
    const left = openCalls(this.#context.messages).map(
      (call): Draft => ({ type: "message", message: toMessage(call, refusal(leftOpen), now) }),
    );
    const drafts = [...left, ...this.#opening, userDraft(input, now)];
    this.#opening = [];
    for (const entry of this.#parts.journal.appendAll(drafts)) this.#announce({ type: "entry", entry });
  }

  #record(draft: Draft): Entry {
    const entry = this.#parts.journal.append(draft);
    this.#announce({ type: "entry", entry });
    return entry;
  }

  async #ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const answer = this.#questions.ask(question.id, signal);
    this.#announce({ type: "question", question });
    const given = await answer;
    this.#announce({ type: "answered", id: question.id, answer: given });
    return given;
  }

  #queueEvent(): Event {
    return { type: "queue", steer: this.#inbox.texts("steer"), after: this.#inbox.texts("after") };
  }

  #announce(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }
}

const leftOpen = "Interrupted: pith ended before this call finished. It may have run in part.";
