import { type CompactionCause, type Recovery, type TurnEnd, type TurnView, thresholdOf } from "@pith/agent";
import { loadLimit, type Model, modelName } from "@pith/llm";
import { glance } from "./glance.ts";
import { type CompactorNeeds, type Order, type Ran, wishesOf } from "./needs.ts";
import { promotion } from "./promotion.ts";

/** After a run that came to nothing: how much longer the conversation must be before it is tried again. */
const further = 0.1;

/**
 * Decides when a conversation is too long, and has it made shorter. It remembers what a record cannot tell: what came
 * to nothing lately, windows that turned out smaller than they were said to be, and who took over for the chosen model.
 */
export class Compactor {
  readonly #needs: CompactorNeeds;
  readonly #windows = new Map<string, number>();
  #promoted: Model | undefined;
  /** It took over for the sake of an answer: the next request is its own, however short. */
  #lent = false;
  /** How long it was when a run came to nothing. */
  #tried = 0;
  /** The pictures that were to be put into words for a model that sees none; once is enough. */
  #unseen: string | undefined;

  constructor(needs: CompactorNeeds) {
    this.#needs = needs;
  }

  /** Whether it is made shorter by itself. */
  get isOn(): boolean {
    const { settings, choice } = this.#needs;
    return choice.compaction === "on" && settings.get("compaction.strategy") !== "off";
  }

  /** Before a request: shorter where that is too long. Costs a glance while it is not. */
  async beforeStep(turn: TurnView): Promise<{ do: "go"; model: Model } | { do: "stop"; message: string }> {
    const model = this.#base(turn.model);
    const lent = this.#lent;
    this.#lent = false;
    if (lent) return this.#goWith(model);
    const seen = glance(this.#needs.tree, model);
    const limit = this.#threshold(model);
    if (this.isOn && this.#isBlind(model)) {
      const order = { cause: "threshold", model, next: "step", blind: true, signal: turn.signal } as const;
      await this.#run(order, Number.POSITIVE_INFINITY);
      return this.#goWith(model);
    }
    if (!this.isOn || limit === 0) return this.#goWith(model);
    const size = seen !== undefined && seen <= limit ? seen : await this.#size();
    if (size <= limit) {
      this.#promoted = undefined;
      return this.#goWith(model);
    }
    const larger = await promotion(this.#needs, model, (one) => size <= this.#threshold(one));
    if (larger) {
      if (this.#promoted === undefined)
        this.#tell(`${modelName(larger)} takes over: ${modelName(model)} has no room left.`);
      this.#promoted = larger;
      return this.#goWith(model);
    }
    const ran = await this.#run({ cause: "threshold", model, next: "step", signal: turn.signal }, size);
    // Whether there is room after all is for the server to say, where somebody has spoken again.
    const mayFit = ran.did === "failed" && ran.unanswered && size <= model.contextWindow;
    if (ran.did === "failed" && !mayFit && size > this.#windowOf(model))
      return {
        do: "stop",
        message: `The conversation does not fit into the window of ${modelName(model)}: ${ran.why}.`,
      };
    return this.#goWith(model);
  }

  /** A server found the request too long. */
  async overflow(turn: TurnView, told: string): Promise<Recovery> {
    const { model } = turn;
    const [size, limitIn] = await Promise.all([this.#size(), loadLimit()]);
    // Whatever its window is said to be: this did not fit, and the server may say what does.
    const fits = Math.max(1, Math.floor(size * 0.95));
    const known = [this.#windowOf(model), limitIn(told), fits].filter((window) => window);
    this.#windows.set(modelName(model), Math.min(...(known as number[])));
    const larger = await promotion(this.#needs, model, (one) => size <= this.#threshold(one));
    if (larger) {
      this.#promoted = larger;
      return { do: "switch", model: larger };
    }
    if (!this.isOn) return { do: "give up" };
    const ran = await this.#run(
      { cause: "overflow", model, next: "again", signal: turn.signal },
      Number.POSITIVE_INFINITY,
    );
    if (ran.did === "shorter") return { do: "again" };
    const why = ran.did === "stopped" ? "it was stopped" : ran.why;
    return { do: "give up", failure: { kind: "overflow", message: `Context overflow recovery failed: ${why}.` } };
  }

  /** An answer ended for want of room: it is dropped, and asked for again with more of it. */
  async incomplete(turn: TurnView, entry: string): Promise<Ran | { did: "promoted" }> {
    const model = this.#base(turn.model);
    // One that took over already and found no room either is not asked for the same again.
    const larger = await promotion(this.#needs, turn.model, () => true);
    const { channel } = this.#needs;
    if (larger) {
      this.#promoted = larger;
      this.#lent = true;
      channel.record({ type: "context_edit", targetId: entry, replacement: null });
      return { did: "promoted" };
    }
    if (!this.isOn) return { did: "nothing", why: "compaction is switched off" };
    return this.#run(
      { cause: "incomplete", model, next: "again", drop: entry, signal: turn.signal },
      await this.#size(),
    );
  }

  /** Whether it is longer than this, or than the threshold. */
  async isLong(longerThan = this.#threshold(this.#needs.choice.model)): Promise<boolean> {
    if (!this.isOn || longerThan <= 0) return false;
    const seen = glance(this.#needs.tree, this.#needs.choice.model);
    return (seen === undefined || seen > longerThan) && (await this.#size()) > longerThan;
  }

  async betweenTurns(cause: "threshold" | "idle", signal: AbortSignal): Promise<Ran> {
    return this.#run({ cause, model: this.#needs.choice.model, next: "nothing", signal }, await this.#size());
  }

  async manual(instructions: string, signal: AbortSignal): Promise<Ran> {
    const { choice } = this.#needs;
    const order = { cause: "manual", model: choice.model, next: "nothing", signal } as const;
    return this.#run({ ...order, instructions: instructions || undefined }, Number.POSITIVE_INFINITY);
  }

  /** By hand: another session goes on from what the model writes down. */
  async handoff(instructions: string, signal: AbortSignal): Promise<Ran> {
    const { choice } = this.#needs;
    const order = { cause: "manual", model: choice.model, next: "nothing", only: "handoff", signal } as const;
    return this.#run({ ...order, instructions: instructions || undefined }, Number.POSITIVE_INFINITY);
  }

  async #run(order: Omit<Order, "window"> & { cause: CompactionCause }, size: number): Promise<Ran> {
    // What no longer fits at all is worth another try: then results can be left out.
    if (size < this.#tried && size <= this.#windowOf(order.model))
      return { did: "failed", why: "it was tried in vain a moment ago" };
    const { compact } = await import("./run.ts");
    const ran = await compact(this.#needs, { ...order, window: this.#windowOf(order.model) });
    const isVain = ran.did === "failed" || ran.did === "nothing";
    this.#tried = isVain && Number.isFinite(size) ? size * (1 + further) : 0;
    if (ran.did === "shorter") this.#promoted = undefined;
    // Where nothing can be asked any more, the end of the turn says so.
    const isEnd = order.next === "step" && Number.isFinite(size) && size > this.#windowOf(order.model);
    if (ran.did === "failed" && !isEnd && (order.cause === "threshold" || order.cause === "idle"))
      this.#tell(`The conversation is long and could not be made shorter: ${ran.why}.`);
    return ran;
  }

  /** Whether the past is pictures, and the model sees none: another one was chosen since they were drawn. */
  #isBlind(model: Model): boolean {
    if (model.input.includes("image")) return false;
    const last = this.#needs.tree.last("compaction");
    if (last?.type !== "compaction" || last.preserveData?.snapcompact === undefined || last.id === this.#unseen)
      return false;
    this.#unseen = last.id;
    return true;
  }

  /** The model of the turn; for one that we put there, the chosen one. */
  #base(model: Model): Model {
    return this.#promoted && modelName(this.#promoted) === modelName(model) ? this.#needs.choice.model : model;
  }

  #goWith(model: Model): { do: "go"; model: Model } {
    return { do: "go", model: this.#promoted ?? model };
  }

  async #size(): Promise<number> {
    return (await this.#needs.gauge()).size();
  }

  #windowOf({ contextWindow, vendor, id }: Model): number {
    const known = this.#windows.get(modelName({ vendor, id }));
    return known === undefined ? contextWindow : Math.min(known, contextWindow || known);
  }

  #threshold(model: Model): number {
    return thresholdOf(this.#windowOf(model), wishesOf(this.#needs.settings));
  }

  #tell(text: string): void {
    this.#needs.channel.notify({ level: "warn", text });
  }
}

/** How a run between turns ends for whoever waits for the conversation. */
export const endOf = (ran: Ran): TurnEnd =>
  ran.did === "stopped" ? { reason: "interrupted", message: "compaction was stopped" } : { reason: "done" };
