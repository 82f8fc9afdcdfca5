import type { Prompt } from "@pith/agent";
import {
  type AssistantMessage,
  type Calibrations,
  type Counting,
  type Message,
  type Model,
  modelName,
  type Usage,
} from "@pith/llm";

/** Tokens of a request by category. Files are long texts and images in prompts. */
export interface Categories {
  system: number;
  toolDefinitions: number;
  messages: number;
  toolResults: number;
  files: number;
  total: number;
}

export const categoryTitles = [
  ["system", "system prompt"],
  ["toolDefinitions", "tools"],
  ["messages", "messages"],
  ["toolResults", "tool results"],
  ["files", "files and long prompts"],
] as const satisfies readonly (readonly [keyof Categories, string])[];

/** The use of the present model's window. */
export interface ContextView {
  /** `vendor/id`. */
  model: string;
  window: number;
  /** Estimated tokens of the next request. */
  size: number;
  /** Tokens of these that the model itself has reported. */
  told: number;
  categories: Categories;
}

/** Sizes in tokens: of the next request, of its fixed part before the conversation, and of single messages. */
export interface Measure {
  size: number;
  fixed: number;
  tokens(message: Message): number;
}

export interface GaugeSources {
  counting: Counting;
  calibrations: Calibrations;
  model(): Model;
  prompt(): Prompt;
  /** The messages that the model is shown; the first `stale` ones were answered in another context. */
  shown(): { messages: readonly Message[]; stale: number };
  now(): number;
}

/** An answer whose model reported the size of its request. */
interface Report {
  model: Pick<Model, "vendor" | "id">;
  /** The request, and the answer as it is sent back. */
  tokens: number;
  /** Our own count of the conversation up to the answer; `fixed` of the part before it. */
  counted: number;
  fixed: number;
}

const longPrompt = 500;
type Share = "messages" | "toolResults" | "files";

/**
 * Estimates the size of the next request: what the model last reported, and a count of what came since. Counts only new
 * messages each time. Learns from every answer how the model counts.
 */
export class Gauge {
  readonly #sources: GaugeSources;
  #list: readonly Message[] | undefined;
  #done = 0;
  #last: Message | undefined;
  #model = "";
  #shares: Record<Share, number> = { messages: 0, toolResults: 0, files: 0 };
  #told: Report | undefined;
  /** Answers that were learned from. */
  readonly #heard = new WeakSet<Message>();

  constructor(sources: GaugeSources) {
    this.#sources = sources;
  }

  /** Tokens of the next request. */
  size(): number {
    return Math.round(this.#look().size);
  }

  /** Returns sizes for compaction, in tokens of the present model. */
  measure(): Measure {
    const { size, fixed, factor } = this.#look();
    const { counting } = this.#sources;
    const model = this.#sources.model();
    const counted = this.#counted();
    // Reports of the model correct the count of single messages, within limits.
    const scale = counted > 0 ? Math.min(2, Math.max(0.5, (size / factor - fixed) / counted)) : 1;
    return {
      size: Math.round(size),
      fixed: Math.round(fixed * factor),
      tokens: (message) => counting.countMessage(message, model) * factor * scale,
    };
  }

  view(): ContextView {
    const { size, told, fixed, system } = this.#look();
    const model = this.#sources.model();
    const counted = fixed + this.#counted();
    const scale = counted > 0 ? size / counted : 0;
    const shares = { system, toolDefinitions: fixed - system, ...this.#shares };
    const categories = Object.fromEntries(
      Object.entries(shares).map(([name, tokens]) => [name, Math.round(tokens * scale)]),
    ) as unknown as Omit<Categories, "total">;
    const total = Object.values(categories).reduce((sum, tokens) => sum + tokens, 0);
    return {
      model: modelName(model),
      window: model.contextWindow,
      size: total,
      told: Math.min(total, Math.round(told)),
      categories: { ...categories, total },
    };
  }

  /** Learns from new answers, and saves it for other sessions. */
  learn(): void {
    this.#look("up to the answer");
    this.#sources.calibrations.save();
  }

  #look(how: "all" | "up to the answer" = "all") {
    const { counting, calibrations } = this.#sources;
    const { system: blocks, tools } = this.#sources.prompt();
    const model = this.#sources.model();
    const system = counting.countSystem(blocks);
    const fixed = system + counting.countTools(tools);
    this.#scan(model, fixed, how);
    const factor = calibrations.factor(model);
    const before = this.#told;
    const told = before ? before.tokens * (factor / calibrations.factor(before.model)) : 0;
    const fresh = this.#counted() - (before?.counted ?? 0) + fixed - (before?.fixed ?? 0);
    return { size: Math.max(0, told + fresh * factor), told, fixed, system, factor };
  }

  #scan(model: Model, fixed: number, how: "all" | "up to the answer"): void {
    const { messages, stale } = this.#sources.shown();
    const goesOn = this.#list === messages && messages[this.#done - 1] === this.#last && this.#model === model.id;
    if (!goesOn) {
      this.#list = messages;
      this.#model = model.id;
      this.#done = 0;
      this.#told = undefined;
      this.#shares = { messages: 0, toolResults: 0, files: 0 };
    }
    for (; this.#done < messages.length; this.#done++) {
      const message = messages[this.#done] as Message;
      const counted = this.#counted();
      if (how === "up to the answer" && message.role === "assistant" && this.#done === messages.length - 1) {
        // The answer itself is counted with what follows it.
        if (this.#done >= stale) this.#learnFrom(message, counted, fixed);
        break;
      }
      const tokens = this.#sources.counting.countMessage(message, model);
      this.#shares[shareOf(message)] += tokens;
      if (message.role === "assistant" && this.#done >= stale) this.#hear(message, { counted, tokens, fixed });
    }
    this.#last = messages[this.#done - 1];
  }

  /** Takes the report of an answer about its request, if it is credible. */
  #hear(reply: AssistantMessage, { counted, tokens, fixed }: { counted: number; tokens: number; fixed: number }): void {
    const learned = this.#learnFrom(reply, counted, fixed);
    if (!learned) return;
    const { model, request } = learned;
    const said = keptOutput(reply, tokens * this.#sources.calibrations.factor(model));
    this.#told = { model, tokens: request + said, counted: counted + tokens, fixed };
  }

  #learnFrom(reply: AssistantMessage, counted: number, fixed: number) {
    const { counting, calibrations, now } = this.#sources;
    const model = { vendor: reply.provider, id: reply.model };
    const request = requestTokens(reply.usage);
    const factor = calibrations.factor(model);
    if (!counting.isSound((counted + fixed) * factor, request)) return undefined;
    const before = this.#told;
    const same = before && modelName(before.model) === modelName(model);
    const since = same ? before : { counted: 0, fixed: 0, tokens: 0 };
    if (!this.#heard.has(reply))
      calibrations.learn(model, counted - since.counted + fixed - since.fixed, request - since.tokens, now());
    this.#heard.add(reply);
    return { model, request };
  }

  #counted(): number {
    const { messages, toolResults, files } = this.#shares;
    return messages + toolResults + files;
  }
}

/** Tokens of a request, cached ones included. */
const requestTokens = ({ input, cacheRead, cacheWrite }: Partial<Usage> = {}): number =>
  positive(input) + positive(cacheRead) + positive(cacheWrite);
const positive = (value: unknown): number => (Number.isFinite(value) && (value as number) > 0 ? (value as number) : 0);

/** Tokens of an answer in the next request: the reported ones, unless it contains thinking, which is not sent back. */
function keptOutput({ usage, content }: AssistantMessage, estimate: number): number {
  const output = positive(usage?.output);
  const thought = positive(usage?.reasoning) > 0 || content.some((part) => part.type === "thinking");
  return !thought && output >= estimate / 2 && output <= estimate * 2 + 20 ? output : estimate;
}

function shareOf(message: Message): Share {
  if (message.role === "assistant") return "messages";
  if (message.role === "toolResult") return "toolResults";
  const { content } = message;
  const length =
    typeof content === "string"
      ? content.length
      : content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : longPrompt), 0);
  return length > longPrompt ? "files" : "messages";
}
