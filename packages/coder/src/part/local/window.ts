import { byteLength, formatCount } from "@pith/kit";
import { type AssistantMessage, type Message, type Model, modelName, type Request } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";

type Needs = "channel" | "choice" | "models" | "standing";

/** What is known of how much of its prompts a model gets. All in tokens. */
interface Known {
  /** The most that its server has counted, and about how much was sent then. */
  most: number;
  sentThen: number;
  /** How often it counted far too little, or no more although more was sent. */
  low: number;
  stuck: number;
  /** It has counted a whole prompt. */
  whole: boolean;
  /** What was sent last. */
  last: number;
}

/** How often is no accident; what a prompt has to grow by; the least a server counts that has cut one. */
const [often, growth, leastCut] = [2, 300, 1000];
/** In larger windows what stands before the conversation is not worth a look. */
const largest = 131_072;

/** Whether what is said to a model fits its window, and arrives there. */
export class Window {
  readonly #hall: Pick<Hall, Needs>;
  readonly #known = new Map<string, Known>();
  /** Of whom something was told: one line each. */
  readonly #told = new Set<string>();
  readonly #begun = new Set<string>();
  readonly #sizes = new WeakMap<object, number>();
  #heard: AssistantMessage | undefined;

  constructor(hall: Pick<Hall, Needs>) {
    this.#hall = hall;
  }

  /** Before a conversation: one whose window is half full already will forget soon. */
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

  /** What a server has counted of a request. */
  hear(request: Request, reply: AssistantMessage): void {
    const { model } = request;
    const counted = reply.usage.totalTokens - reply.usage.output;
    if (reply === this.#heard || counted <= 0) return;
    this.#heard = reply;
    const name = modelName(model);
    if (!this.#known.has(name)) void this.#ask(model);
    const sent = this.#fixed(request) + request.messages.reduce((sum, message) => sum + this.#size(message), 0);
    const before = this.#known.get(name);
    // What was made shorter begins anew.
    const known: Known = before && sent >= before.last ? before : { ...unknown, whole: before?.whole ?? false };
    known.whole ||= 3 * counted >= sent;
    // One that counts only what is new keeps the rest in memory: that is no loss.
    const isNews = counted < 2 * (sent - known.last);
    if (!known.whole && !isNews && counted >= leastCut) known.low++;
    if (counted > known.most) Object.assign(known, { most: counted, sentThen: sent, stuck: 0 });
    else if (known.whole && sent > 1.05 * known.sentThen + growth && 2.5 * counted >= known.most) known.stuck++;
    known.last = sent;
    this.#known.set(name, known);
    if ((known.low < often && known.stuck < often) || counted >= sent) return;
    const text =
      `The server of ${name} seems to drop the beginning of what is said: it counted ${formatCount(counted)} tokens ` +
      `where about ${formatCount(sent)} were sent. ${advice(model)}, or set contextWindow: ${counted} for it in models.yml.`;
    this.#tell(name, text);
  }

  /** Some servers tell what they have really reserved, once they have. Nobody waits for that. */
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
    if (this.#told.has(name)) return;
    this.#told.add(name);
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

const unknown: Known = { most: 0, sentThen: 0, low: 0, stuck: 0, whole: false, last: 0 };
/** Of prose and code; other scripts have fewer, so that less is taken to be sent than was. */
const bytesPerToken = 4;

/** What to set, by whose server it is. */
const advices: Readonly<Record<string, string>> = {
  ollama: "Let Ollama give it more (OLLAMA_CONTEXT_LENGTH, or contextWindow in models.yml)",
  "llama.cpp": "Start llama-server with a larger context (-c)",
  "lm-studio": "Load the model with a larger context length",
  vllm: "Start vLLM with a larger --max-model-len",
};
const advice = ({ vendor }: Model): string => advices[vendor] ?? "Give the server a larger context";
