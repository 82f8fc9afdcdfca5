import { parseJson } from "@pith/kit";
import {
  type AssistantMessage,
  type Failure,
  type Model,
  noUsage,
  priced,
  type StreamEvent,
  type Text,
  type Thinking,
  type ToolCall,
  taskComplete,
  type Usage,
} from "@pith/llm";
import { isArguments } from "../tool/argument.ts";

/** The reply to a request. A failed or aborted reply has no calls: half a call is never run. */
export interface Reply {
  message: AssistantMessage;
  failure?: Failure;
}

/** Builds a reply from stream events. */
export class ReplyBuilder {
  readonly #model: Model;
  readonly #timestamp: number;
  #blocks: Block[] = [];
  #start: { responseId?: string; responseModel?: string } = {};
  #usage: Omit<Usage, "cost"> = noUsage();
  #stop: { reason: "stop" | "length" | "toolUse"; raw?: string } | undefined;
  #failure: Failure | undefined;

  constructor(model: Model, timestamp: number) {
    this.#model = model;
    this.#timestamp = timestamp;
  }

  get ended(): boolean {
    return this.#stop !== undefined || this.#failure !== undefined;
  }

  /** Everything received, incomplete calls included. */
  get said(): string {
    return this.#blocks.map((block) => block?.text ?? "").join("\n");
  }

  push(events: readonly StreamEvent[]): void {
    for (const event of events) this.#take(event);
  }

  /** Completes the reply; `cut` is the failure if no stop event came. */
  finish(cut: Failure = { kind: "cut", message: "The model's answer ended in the middle." }): Reply {
    const failure = this.#failure ?? (this.#stop ? undefined : cut);
    const blocks = this.#blocks
      .filter((block) => block !== undefined)
      .filter((block, at, all) => !(this.#stop?.reason === "length" && at === all.length - 1 && isCut(block)));
    const content = blocks
      .map(close)
      .filter((part) => (part.type === "toolCall" ? !failure : part.type !== "text" || part.text !== ""));
    const isEnd = this.#stop?.raw === taskComplete;
    const empty = !failure && !isEnd && content.every((part) => part.type === "thinking");
    const end: Failure | undefined =
      empty && this.#stop?.reason !== "length"
        ? { kind: "malformed", message: content.length > 0 ? onlyThought : "The model sent an empty answer." }
        : failure;
    const message: AssistantMessage = {
      role: "assistant",
      content,
      api: this.#model.api,
      provider: this.#model.vendor,
      model: this.#model.id,
      usage: priced(this.#usage, this.#model.cost),
      stopReason: end ? (end.kind === "aborted" ? "aborted" : "error") : (this.#stop?.reason ?? "stop"),
      errorMessage: end?.message,
      timestamp: this.#timestamp,
      ...this.#start,
      rawStopReason: this.#stop?.raw || undefined,
    };
    return { message, failure: end };
  }

  #take(event: StreamEvent): void {
    switch (event.type) {
      case "text":
      case "thinking": {
        const block = this.#blocks[event.index];
        if (block?.type === event.type) block.text += event.delta;
        else this.#blocks[event.index] = { type: event.type, text: event.delta };
        return;
      }
      case "call":
        this.#blocks[event.index] = { type: "call", id: event.id, name: event.name, text: "" };
        return;
      case "args": {
        const block = this.#blocks[event.index];
        if (block?.type === "call") block.text += event.delta;
        return;
      }
      case "signature": {
        const block = this.#blocks[event.index] ?? { type: "thinking", text: "" };
        this.#blocks[event.index] = block;
        block.signature = (block.signature ?? "") + event.signature;
        if (event.redacted) block.redacted = true;
        return;
      }
      case "usage":
        this.#usage = event.usage;
        return;
      case "start":
        this.#start = { responseId: event.responseId || undefined, responseModel: event.responseModel || undefined };
        return;
      case "stop":
        this.#stop = { reason: event.reason, raw: event.raw };
        return;
      case "fail":
        this.#failure = event.failure;
        // A server that has begun to answer accepted the request; a later rejection is its own trouble.
        if (event.failure.kind === "rejected" && this.#blocks.length > 0)
          this.#failure = { ...event.failure, kind: "server" };
    }
  }
}

const onlyThought = "The model thought, and then said nothing.";

interface Piece {
  text: string;
  signature?: string;
  redacted?: true;
}
type Block =
  | (Piece & { type: "text" })
  | (Piece & { type: "thinking" })
  | (Piece & { type: "call"; id: string; name: string });

/** True for a call with incomplete arguments, which only the last block can be. */
const isCut = (block: Block): boolean =>
  block.type === "call" && (block.text.trim() === "" || parseArguments(block.text).rawArguments !== undefined);

function close(block: Block): Text | Thinking | ToolCall {
  const { text, redacted } = block;
  const signature = block.signature || undefined;
  if (block.type === "text") return { type: "text", text, textSignature: signature };
  if (block.type === "thinking") return { type: "thinking", thinking: text, thinkingSignature: signature, redacted };
  const { id, name } = block;
  return { type: "toolCall", id, name, ...parseArguments(text), thoughtSignature: signature };
}

function parseArguments(text: string): Pick<ToolCall, "arguments" | "rawArguments"> {
  if (text.trim() === "") return { arguments: {} };
  const value = parseJson(text);
  // Others are kept as written; the batch reports them to the model.
  return isArguments(value) ? { arguments: value } : { arguments: {}, rawArguments: text };
}
