import { type Clock, messageOf } from "@pith/kit";
import type { Message, Model, Request, Stream, ToolCall, ToolResultMessage } from "@pith/llm";
import type { Event, TurnEnd } from "../event.ts";
import { Context, openCalls } from "../session/context.ts";
import type { EntryDraft } from "../session/entry.ts";
import type { Journal } from "../session/journal.ts";
import { type DeliveryMode, type DeliveryTime, InputQueue, type UserInput, userDraft } from "../session/queue.ts";
import type { SessionTree } from "../session/tree.ts";
import type { Outcome } from "../tool/outcome.ts";
import type { Registry } from "../tool/registry.ts";
import { refusal, toMessage } from "../tool/result.ts";
import { runBatch } from "./batch.ts";
import type { Channel } from "./channel.ts";
import type { TurnView } from "./hook.ts";
import { notRun, type ReadGuard } from "./judge.ts";
import type { Points } from "./point.ts";
import type { Questions } from "./question.ts";
import { type Prompt, runTurn, type TurnOptions } from "./turn.ts";

export interface ConversationOptions {
  journal: Journal;
  channel: Channel;
  questions: Questions;
  /** Model of the next turn. */
  model(): Model;
  stream: Stream;
  /** System prompt and tools; read for each step. */
  prompt(): Prompt;
  /** Prompt for display; records nothing. */
  previewPrompt?(): Prompt;
  tools: Registry;
  points: Points;
  /** Checks reads during preparation; by default everything may be read. */
  readGuard?: ReadGuard;
  /** Amount of waiting input delivered at once. */
  delivery?(when: DeliveryTime): DeliveryMode;
  clock: Clock;
  /** Facts to record before the first input: model, prompt. */
  opening(): readonly EntryDraft[];
  /** Changes to record before any input; gets the drafts written before them. */
  updates?(drafts: readonly EntryDraft[]): readonly EntryDraft[];
  /** Sync to the disk after the input and the turn, or never. */
  sync: "turn" | "never";
}

/** Takes input and emits events. Owns the running turn; all other state has its own owner. */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #points: Points;
  readonly #context: Context;
  readonly #inbox: InputQueue;
  #opened = false;
  /** Resolves when all input so far is on the disk. */
  #admitted: Promise<unknown> = Promise.resolve();
  #running: { abort: AbortController; done: Promise<void> } | undefined;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#points = options.points;
    this.#context = new Context(options.journal);
    this.#inbox = new InputQueue(options.journal);
    if (!this.#inbox.empty) this.#announceQueue();
  }

  /**
   * Admits input and runs a turn for it if none is running. Resolves when the turn that takes it has ended; a failing
   * hook ends the turn and does not reject.
   */
  async send(said: UserInput, when: "now" | "steer" | "after" = "now"): Promise<void> {
    let input: Awaited<ReturnType<Points["input"]>>;
    try {
      input = await this.#points.input(said);
    } catch (error) {
      if (!this.#running) this.#announce({ type: "turn", state: { name: "idle", end: broken(error) } });
      else this.#options.channel.notify({ level: "error", text: messageOf(error) });
      return;
    }
    if ("handled" in input) return;
    if (this.#running) {
      const entry = this.#inbox.admit(input, when === "after" ? "after" : "steer");
      this.#admitted = Promise.all([this.#admitted, this.#synced()]);
      this.#announce({ type: "entry", entry });
      this.#announceQueue();
      return this.#running.done;
    }
    return this.#run((abort) => this.#turn(() => this.#admit(input), abort));
  }

  /**
   * Runs work between two turns; undefined while one runs. Input waits meanwhile and is taken afterwards; the promise
   * covers that too.
   */
  between(work: (signal: AbortSignal) => Promise<TurnEnd>): Promise<void> | undefined {
    if (this.#running) return undefined;
    return this.#run(async (abort) => {
      const end = await work(abort.signal).catch(broken);
      if (this.#inbox.empty || end.reason === "interrupted") return this.#ended(end, this.#view(abort.signal));
      return this.#turn(() => this.#deliver("steer", "all") + this.#deliver("after"), abort);
    });
  }

  async #run(work: (abort: AbortController) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    // Set before the turn begins, so that it counts as running at once.
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = { abort, done: promise };
    this.#options.channel.running = true;
    await work(abort);
    resolve();
    return promise;
  }

  /** Messages the model is shown, and how many of them were answered in an earlier context. */
  get context(): { messages: readonly Message[]; stale: number } {
    return this.#context;
  }

  /** Takes back waiting input for good; undefined if it no longer waits. */
  withdraw(id: string): UserInput | undefined {
    const taken = this.#inbox.withdraw(id);
    if (!taken) return undefined;
    this.#announce({ type: "entry", entry: taken.entry });
    this.#announceQueue();
    return taken.input;
  }

  /**
   * Continues in another record, with the waiting input. The new record is on disk before this one says so, so that
   * both can be opened after a crash in between. False if it could not be written; then nothing has changed.
   */
  async handOver(
    next: Journal,
    drafts: readonly EntryDraft[],
    farewell: EntryDraft,
    switched: () => void,
  ): Promise<boolean> {
    const { journal, channel } = this.#options;
    const entries = next.appendAll(drafts);
    await next.sync();
    if (next.isBehind) {
      await next.close();
      return false;
    }
    const waiting = this.#inbox.leave();
    entries.push(...next.appendAll(waiting.there));
    channel.recordAll([...waiting.here, farewell]);
    const moved = journal.switchTo(next);
    switched();
    this.#inbox.reread();
    this.#announce({ type: "session", header: next.header });
    for (const entry of entries) this.#announce({ type: "entry", entry });
    if (waiting.there.length > 0) this.#announceQueue();
    await moved;
    return true;
  }

  /** The next request, for a question beside the conversation; running calls are marked as running. */
  async nextRequest(): Promise<Request> {
    const { model, prompt, previewPrompt = prompt, clock } = this.#options;
    const { messages } = this.#context;
    const running = openCalls(messages).map((call) => toMessage(call, refusal("This call still runs."), clock.now()));
    const shown = { ...previewPrompt(), messages: [...messages, ...running] };
    return this.#points.context({ purpose: "main", model: model(), ...shown });
  }

  /** Stops the turn: its request, tools and questions. Resolves when all calls are answered. */
  async interrupt(reason: string): Promise<void> {
    this.#running?.abort.abort(reason);
    await this.#running?.done;
  }

  #view(signal: AbortSignal): TurnView {
    return { id: "", model: this.#options.model(), step: 0, attempt: 0, goneOn: 0, signal };
  }

  async #turn(admit: () => void, abort: AbortController): Promise<void> {
    let end: TurnEnd;
    let turn = this.#view(abort.signal);
    const begun = (view: TurnView) => {
      turn = view;
    };
    try {
      admit();
      do {
        this.#admitted = this.#synced();
        end = await runTurn(this.#needs(abort.signal, begun));
        await this.#admitted;
        await this.#synced();
        // Input that came during the sync begins the next round; it must not wait for a prompt that may never come.
      } while (end.reason === "done" && this.#deliver("steer") + this.#deliver("after") > 0);
    } catch (error) {
      end = broken(error);
    }
    await this.#ended(end, turn);
  }

  /** Resolves when what is recorded so far is on the disk. */
  async #synced(): Promise<void> {
    if (this.#options.sync !== "never") await this.#options.journal.sync();
  }

  async #ended(end: TurnEnd, turn: TurnView): Promise<void> {
    const { channel } = this.#options;
    this.#running = undefined;
    channel.running = false;
    this.#announce({ type: "turn", state: { name: "idle", end } });
    await this.#points.idle(end, turn, (name, error) =>
      channel.notify({ level: "error", text: `${name} failed after the turn: ${messageOf(error)}` }),
    );
  }

  /**
   * Runs a call that the user's input contains, judged and approved like one of the model. Events go to `hear` if
   * given.
   */
  async call(call: ToolCall, signal: AbortSignal, hear?: (event: Event) => void): Promise<Outcome> {
    const own = this.#needs(signal, () => {});
    const needs = { ...own, announce: hear ?? own.announce, broke: () => {} };
    for await (const { outcome } of runBatch([call], needs)) return outcome;
    return notRun;
  }

  #needs(signal: AbortSignal, begun: (turn: TurnView) => void): TurnOptions {
    const { model, clock, channel, questions, readGuard = plainSight } = this.#options;
    return {
      ...this.#options,
      model: model(),
      signal,
      admitted: () => this.#admitted,
      begun,
      now: () => clock.now(),
      messages: () => this.#context.messages,
      record: (draft) => channel.record(draft),
      deliver: (when) => this.#deliver(when),
      announce: (event) => this.#announce(event),
      ask: (question) => questions.ask(question, signal),
      asks: questions.asks,
      readGuard,
    };
  }

  #deliver(when: DeliveryTime, much = this.#options.delivery?.(when)): number {
    const entries = this.#inbox.deliver(when, this.#options.clock.now(), much);
    for (const entry of entries) this.#announce({ type: "entry", entry });
    if (entries.length > 0) this.#announceQueue();
    return entries.length;
  }

  /** Records the input with one write, after calls left open by a crash and earlier input that still waits. */
  #admit(input: UserInput): void {
    const { channel, clock, opening, journal, updates } = this.#options;
    const now = clock.now();
    const open = openCalls(this.#context.messages);
    const results = open.length > 0 ? resultsBelow(journal.tree, open) : undefined;
    const left = open.map((call): EntryDraft => {
      const message = results?.get(call.id) ?? toMessage(call, refusal(leftOpen), now);
      return { type: "message", message };
    });
    const opened = this.#opened ? [] : opening();
    const facts = [...opened, ...(updates?.(opened) ?? [])];
    this.#opened = true;
    if (this.#inbox.list().every(({ when }) => when !== "steer")) {
      channel.recordAll([...left, ...facts, userDraft(input, now)]);
      return;
    }
    channel.recordAll([...left, ...facts]);
    this.#deliver("steer", "all");
    channel.record(userDraft(input, now));
  }

  #announceQueue(): void {
    this.#announce({ type: "queue", waiting: this.#inbox.list() });
  }

  #announce(event: Event): void {
    this.#options.channel.announce(event);
  }
}

const plainSight: ReadGuard = async (prepare) => prepare();

const broken = (error: unknown): TurnEnd => ({
  reason: "failed",
  failure: { kind: "internal", message: messageOf(error) },
});

const leftOpen =
  "There is no result of this call: pith ended, or the conversation was taken back to here, before it came. " +
  "It may have run, in whole or in part.";

/** Results of calls below the leaf: moving back into a batch does not undo what its calls did. */
function resultsBelow(tree: SessionTree, calls: readonly ToolCall[]): Map<string, ToolResultMessage> {
  const found = new Map<string, ToolResultMessage>();
  const next = tree.children(tree.leaf);
  for (let entry = next.shift(); entry && found.size < calls.length; entry = next.shift()) {
    const result = entry.type === "message" && entry.message.role === "toolResult" ? entry.message : undefined;
    if (result && calls.some(({ id }) => id === result.toolCallId)) found.set(result.toolCallId, result);
    if (result || entry.type === "custom") next.push(...tree.children(entry.id));
  }
  return found;
}
