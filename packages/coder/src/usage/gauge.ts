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

/** What a request is made of, in tokens. Files are long things that a person put into a prompt. */
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

/** How full the window of the present model is. */
export interface ContextView {
  /** `vendor/id`. */
  model: string;
  window: number;
  /** About how many tokens the next request is. */
  size: number;
  /** How many of these the model itself has told; the rest is estimated. */
  told: number;
  categories: Categories;
}

/** How long the next request is, what of it stands before the conversation, and how long a single message is. */
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
  /** What the model is shown; those that `stale` counts at its beginning were answered in another context. */
  shown(): { messages: readonly Message[]; stale: number };
  now(): number;
}

/** An answer whose model told how long its request was. */
interface Told {
  model: Pick<Model, "vendor" | "id">;
  /** The request, and the answer as it is sent back. */
  tokens: number;
  /** By our own count: the conversation up to the answer, and what stood in front of it. */
  counted: number;
  fixed: number;
}

const longPrompt = 500;
type Share = "messages" | "toolResults" | "files";

/**
 * How long the next request is: what the model last told, and an estimate of what came since. It goes on from where it
 * stopped, so that looking costs only what is new, and learns from every answer how the model counts.
 */
export class Gauge {
  readonly #sources: GaugeSources;
  #list: readonly Message[] | undefined;
  #done = 0;
  #last: Message | undefined;
  #model = "";
  #shares: Record<Share, number> = { messages: 0, toolResults: 0, files: 0 };
  #told: Told | undefined;
  /** Whom something was learned from. */
  readonly #heard = new WeakSet<Message>();

  constructor(sources: GaugeSources) {
    this.#sources = sources;
  }

  /** Tokens of the next request. */
  size(): number {
    return Math.round(this.#look().size);
  }

  /** What making a conversation shorter goes by: all in tokens as the present model counts them. */
  measure(): Measure {
    const { size, fixed, factor } = this.#look();
    const { counting } = this.#sources;
    const model = this.#sources.model();
    const counted = this.#counted();
    // What the model told of its requests corrects the count of single messages, within reason.
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

  /** Learns from what was answered since, and keeps it for other sessions. */
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
        // How long the answer itself is matters to what follows, and is counted then.
        if (this.#done >= stale) this.#learnFrom(message, counted, fixed);
        break;
      }
      const tokens = this.#sources.counting.countMessage(message, model);
      this.#shares[shareOf(message)] += tokens;
      if (message.role === "assistant" && this.#done >= stale) this.#hear(message, { counted, tokens, fixed });
    }
    this.#last = messages[this.#done - 1];
  }

  /** What an answer tells of its request, where that can be believed. */
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

/** All of a request, whatever of it was cached. */
const requestTokens = ({ input, cacheRead, cacheWrite }: Partial<Usage> = {}): number =>
  positive(input) + positive(cacheRead) + positive(cacheWrite);
const positive = (value: unknown): number => (Number.isFinite(value) && (value as number) > 0 ? (value as number) : 0);

/** What an answer takes in the next request: all that was told of it, unless it thought what is not sent back. */
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
