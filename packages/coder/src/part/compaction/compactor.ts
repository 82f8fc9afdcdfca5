import { type Go, type Recovery, type Stop, type TurnEnd, type TurnView, thresholdOf } from "@pith/agent";
import { shorten } from "@pith/kit";
import { loadLimit, type Model, modelName } from "@pith/llm";
import { affordable } from "../../model/choice.ts";
import { type CompactionEnd, type CompactionHall, type CompactionOrder, sizeSettings } from "./order.ts";
import { upperBound } from "./upper-bound.ts";

/** Growth of the conversation after a failed run, before it is tried again. */
const growth = 0.1;

/** Decides when a conversation is too long, and has it shortened. */
export class Compactor {
  readonly #hall: CompactionHall;
  /** Windows that turned out smaller than their models say. */
  readonly #windows = new Map<string, number>();
  /** A larger model that took over for the chosen one. */
  #promoted: Model | undefined;
  /** True when the larger model took over for an incomplete answer: the next request goes to it, however short. */
  #isPromotedOnce = false;
  /** The size below which no run is tried, because the last one failed. */
  #failedSize = 0;
  /** The compaction whose pictures were already put into words for a model that sees none. */
  #unseen: string | undefined;

  constructor(hall: CompactionHall) {
    this.#hall = hall;
  }

  /** True when conversations are shortened automatically. */
  get isOn(): boolean {
    const { settings, choice } = this.#hall;
    return choice.compaction === "on" && settings.get("compaction.strategy") !== "off";
  }

  /** Shortens a conversation that is too long for the next request. */
  async beforeStep(turn: TurnView): Promise<Go | Stop> {
    const model = this.#base(turn.model);
    const isPromoted = this.#isPromotedOnce;
    this.#isPromotedOnce = false;
    if (isPromoted) return this.#goWith(model);
    const seen = upperBound(this.#hall.tree, model);
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
    const larger = await this.#largerModel(model, (one) => size <= this.#threshold(one));
    if (larger) {
      if (this.#promoted === undefined)
        this.#tell(`${modelName(larger)} takes over: ${modelName(model)} has no room left.`);
      this.#promoted = larger;
      return this.#goWith(model);
    }
    const ran = await this.#run({ cause: "threshold", model, next: "step", signal: turn.signal }, size);
    // New input that was not answered yet may fit after all: the server decides.
    const mayFit = ran.did === "failed" && ran.unanswered && size <= model.contextWindow;
    if (ran.did === "failed" && !mayFit && size > this.#windowOf(model))
      return {
        do: "stop",
        message: `The conversation does not fit into the window of ${modelName(model)}: ${ran.why}.`,
      };
    return this.#goWith(model);
  }

  /** Makes room after a server has refused the request as too long. */
  async overflow(turn: TurnView, message: string): Promise<Recovery> {
    const { model } = turn;
    const [size, limitIn] = await Promise.all([this.#size(), loadLimit()]);
    // The window is smaller than this request, and than what the message names.
    const fits = Math.max(1, Math.floor(size * 0.95));
    const takes = limitIn(message) || model.contextWindow;
    this.#windows.set(modelName(model), Math.min(this.#windowOf(model) || fits, takes || fits, fits));
    const larger = await this.#largerModel(model, (one) => size <= this.#threshold(one));
    if (larger) {
      this.#promoted = larger;
      return { do: "switch", model: larger };
    }
    if (!this.isOn) {
      const text = `The conversation is too long. ${refusedText(model, message, { size, takes })}`;
      return { do: "give up", failure: { kind: "overflow", message: text } };
    }
    const order = { cause: "overflow", model, next: "again", signal: turn.signal } as const;
    const ran = await this.#run(order, Number.POSITIVE_INFINITY);
    if (ran.did === "shorter") return { do: "again" };
    const why = ran.did === "stopped" ? "it was stopped" : ran.why;
    const text = `Context overflow recovery failed: ${why}. ${refusedText(model, message, { size, takes })}`;
    return { do: "give up", failure: { kind: "overflow", message: text } };
  }

  /** Makes room to ask again for an answer that was cut off, and drops it. */
  async incomplete(turn: TurnView, entry: string): Promise<CompactionEnd | { did: "promoted" }> {
    const model = this.#base(turn.model);
    const larger = await this.#largerModel(turn.model, () => true);
    if (larger) {
      this.#promoted = larger;
      this.#isPromotedOnce = true;
      this.#hall.channel.record({ type: "context_edit", targetId: entry, replacement: null });
      return { did: "promoted" };
    }
    if (!this.isOn) return { did: "nothing", why: "compaction is switched off" };
    const order = { cause: "incomplete", model, next: "again", drop: entry, signal: turn.signal } as const;
    return this.#run(order, await this.#size());
  }

  /** True when the conversation is longer than this, by default than the threshold. */
  async isLong(longerThan = this.#threshold(this.#hall.choice.model)): Promise<boolean> {
    if (!this.isOn || longerThan <= 0) return false;
    const seen = upperBound(this.#hall.tree, this.#hall.choice.model);
    return (seen === undefined || seen > longerThan) && (await this.#size()) > longerThan;
  }

  async betweenTurns(cause: "threshold" | "idle", signal: AbortSignal): Promise<CompactionEnd> {
    return this.#run({ cause, model: this.#hall.choice.model, next: "nothing", signal }, await this.#size());
  }

  async manual(instructions: string, signal: AbortSignal, only?: "handoff"): Promise<CompactionEnd> {
    const order = { cause: "manual", model: this.#hall.choice.model, next: "nothing", signal, only } as const;
    return this.#run({ ...order, instructions: instructions || undefined }, Number.POSITIVE_INFINITY);
  }

  /** Goes on in another session, from a document that the model writes. */
  handoff = (instructions: string, signal: AbortSignal): Promise<CompactionEnd> =>
    this.manual(instructions, signal, "handoff");

  async #run(order: Omit<CompactionOrder, "window">, size: number): Promise<CompactionEnd> {
    // A conversation that does not fit at all is tried again: then old results may be left out.
    if (size < this.#failedSize && size <= this.#windowOf(order.model))
      return { did: "failed", why: "it was tried in vain a moment ago" };
    const { compact } = await import("./run.ts");
    const ran = await compact(this.#hall, { ...order, window: this.#windowOf(order.model) });
    const isVain = ran.did === "failed" || ran.did === "nothing";
    this.#failedSize = isVain && Number.isFinite(size) ? size * (1 + growth) : 0;
    if (ran.did === "shorter") this.#promoted = undefined;
    // If no request is possible any more, the turn ends with a message of its own.
    const isEnd = order.next === "step" && Number.isFinite(size) && size > this.#windowOf(order.model);
    if (ran.did === "failed" && !isEnd && (order.cause === "threshold" || order.cause === "idle"))
      this.#tell(`The conversation is long and could not be made shorter: ${ran.why}.`);
    return ran;
  }

  /** True when the past is pictures, drawn for another model, and this one sees none. */
  #isBlind(model: Model): boolean {
    if (model.input.includes("image")) return false;
    const last = this.#hall.tree.last("compaction");
    if (last?.type !== "compaction" || last.preserveData?.snapcompact === undefined || last.id === this.#unseen)
      return false;
    this.#unseen = last.id;
    return true;
  }

  /** The model of the turn; the chosen one in place of a larger one that took over. */
  #base(model: Model): Model {
    return this.#promoted && modelName(this.#promoted) === modelName(model) ? this.#hall.choice.model : model;
  }

  #goWith(model: Model): { do: "go"; model: Model } {
    return { do: "go", model: this.#promoted ?? model };
  }

  #size = async (): Promise<number> => (await this.#hall.gauge()).size();

  /** The first larger model to promote to that holds the conversation. */
  async #largerModel(than: Model, holds: (model: Model) => boolean): Promise<Model | undefined> {
    const { settings, choice, models } = this.#hall;
    for (const name of settings.get("compaction.promote")) {
      const found = await models.resolve(name);
      const model = found.ok ? affordable(choice.wanted, found.value) : undefined;
      if (model?.ok && model.value.contextWindow > than.contextWindow && holds(model.value)) return model.value;
    }
    return undefined;
  }

  #windowOf({ contextWindow, vendor, id }: Model): number {
    const known = this.#windows.get(modelName({ vendor, id }));
    return known === undefined ? contextWindow : Math.min(known, contextWindow || known);
  }

  #threshold(model: Model): number {
    return thresholdOf(this.#windowOf(model), sizeSettings(this.#hall.settings));
  }

  #tell(text: string): void {
    this.#hall.channel.notify({ level: "warn", text });
  }
}

/** Says what a server refused, both sizes, and what a person can do. */
function refusedText(model: Model, message: string, { size, takes }: { size: number; takes: number }): string {
  const said = shorten(message.replace(/\s+/g, " ").trim(), 400);
  const taken = takes > 0 ? `${takes} are taken` : "how many are taken is not known";
  const way = "a model with a larger window (/model), going back to before what is long (/tree), a new session (/new)";
  const sizes = `The request is about ${size} tokens long, and ${taken}`;
  return `${modelName(model)} answered: ${JSON.stringify(said)}. ${sizes}: ${way} would help.`;
}

/** The end of a compaction between turns, as the end of a turn. */
export const turnEnd = (ran: CompactionEnd): TurnEnd =>
  ran.did === "stopped" ? { reason: "interrupted", message: "compaction was stopped" } : { reason: "done" };
