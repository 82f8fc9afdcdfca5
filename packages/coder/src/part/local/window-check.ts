import { byteLength, formatCount, sumOf } from "@pith/kit";
import { type AssistantMessage, type Message, type Model, modelName, type Request } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";

type Needs = "channel" | "choice" | "models" | "standing";

/** Counts of a server compared with what was sent to it, in tokens. */
const noCounts = {
  /** The largest count, and about how much was sent then. */
  most: 0,
  sentThen: 0,
  /** Counts that were far too low, and counts that did not grow with the prompt. */
  low: 0,
  stuck: 0,
  /** True once it has counted a whole prompt. */
  whole: false,
  /** The size of the last prompt. */
  last: 0,
};
type ServerCounts = typeof noCounts;

/** Suspicious counts until the user is warned; the growth of a prompt that must show; the least count of a cut prompt. */
const [often, growth, leastCut] = [2, 300, 1000];
/** In larger windows the prompt and the tools are not checked. */
const largest = 131_072;

/** Checks that prompts fit the window of a local model, and that its server does not cut them. */
export class WindowCheck {
  readonly #hall: Pick<Hall, Needs>;
  readonly #counts = new Map<string, ServerCounts>();
  /** Models that the user was warned of. */
  readonly #warned = new Set<string>();
  readonly #begun = new Set<string>();
  readonly #sizes = new WeakMap<object, number>();
  #lastReply: AssistantMessage | undefined;

  constructor(hall: Pick<Hall, Needs>) {
    this.#hall = hall;
  }

  /** Warns before a conversation if the prompt and the tools take half of the window. */
  async begin(): Promise<void> {
    const { model } = this.#hall.choice;
    const name = modelName(model);
    if (this.#begun.has(name) || model.contextWindow <= 0 || model.contextWindow > largest) return;
    this.#begun.add(name);
    const fixed = this.#fixed(await this.#hall.standing());
    if (2 * fixed <= model.contextWindow) return;
    const text =
      `The prompt and the tools take about ${formatCount(fixed)} of the ${formatCount(model.contextWindow)} tokens ` +
      `that ${name} has; little is left for the work. ${advice(model)}, or tell it of fewer tools (--tools, profile).`;
    this.#tell(name, text);
  }

  /** Compares the count of a server with the size of the request. */
  compare(request: Request, reply: AssistantMessage): void {
    const { model } = request;
    const counted = reply.usage.totalTokens - reply.usage.output;
    if (reply === this.#lastReply || counted <= 0) return;
    this.#lastReply = reply;
    const name = modelName(model);
    if (!this.#counts.has(name)) void this.#ask(model);
    const sent = this.#fixed(request) + sumOf(request.messages, (message) => this.#size(message));
    const before = this.#counts.get(name);
    // After a compaction the comparison begins anew.
    const known: ServerCounts = before && sent >= before.last ? before : { ...noCounts, whole: before?.whole ?? false };
    known.whole ||= 3 * counted >= sent;
    // A server with a prompt cache may count only the new part.
    const isNews = counted < 2 * (sent - known.last);
    if (!known.whole && !isNews && counted >= leastCut) known.low++;
    if (counted > known.most) Object.assign(known, { most: counted, sentThen: sent, stuck: 0 });
    else if (known.whole && sent > 1.05 * known.sentThen + growth && 2.5 * counted >= known.most) known.stuck++;
    known.last = sent;
    this.#counts.set(name, known);
    if ((known.low < often && known.stuck < often) || counted >= sent) return;
    const text =
      `The server of ${name} seems to drop the beginning of what is said: it counted ${formatCount(counted)} tokens ` +
      `where about ${formatCount(sent)} were sent. ${advice(model)}, or set contextWindow: ${counted} for it in models.yml.`;
    this.#tell(name, text);
  }

  /** Warns if the server reports a smaller window than was asked for. */
  async #ask(model: Model): Promise<void> {
    const served = await this.#hall.models.served(model);
    if (served === undefined || served >= model.contextWindow) return;
    const name = modelName(model);
    const text =
      `The server of ${name} gives it ${formatCount(served)} tokens, not the ${formatCount(model.contextWindow)} ` +
      `that were asked for. ${advice(model)}, or set contextWindow: ${served} for it in models.yml.`;
    this.#tell(name, text);
  }

  #tell(name: string, text: string): void {
    if (this.#warned.has(name)) return;
    this.#warned.add(name);
    this.#hall.channel.notify({ level: "warn", text });
  }

  #fixed({ system, tools }: Request): number {
    return this.#sized(system) + this.#sized(tools);
  }

  #size({ content }: Message): number {
    if (typeof content === "string") return byteLength(content) / bytesPerToken;
    return content.reduce((sum, part) => sum + (part.type === "image" ? 0 : this.#sized(part)), 0);
  }

  #sized(what: object): number {
    const size = this.#sizes.get(what) ?? byteLength(JSON.stringify(what)) / bytesPerToken;
    this.#sizes.set(what, size);
    return size;
  }
}

/** A guess for prose and code; for other scripts it is too high, so that estimates are low. */
const bytesPerToken = 4;

/** Advice by server. */
const advices: Readonly<Record<string, string>> = {
  ollama: "Let Ollama give it more (OLLAMA_CONTEXT_LENGTH, or contextWindow in models.yml)",
  "llama.cpp": "Start llama-server with a larger context (-c)",
  "lm-studio": "Load the model with a larger context length",
  vllm: "Start vLLM with a larger --max-model-len",
};
const advice = ({ vendor }: Model): string => advices[vendor] ?? "Give the server a larger context";
