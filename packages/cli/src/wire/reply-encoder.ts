import {
  type AssistantMessage,
  type Model,
  noUsage,
  type StopReason,
  type StreamEvent,
  type ToolCall,
  type Usage,
} from "@pith/llm";
import type { WireDelta, WireEvent } from "./event.ts";

interface Block {
  type: "text" | "thinking" | "call";
  index: number;
  /** The text so far, or the id of the call. */
  text: string;
}
type Emit = (event: WireEvent) => void;

/** Encodes one answer as it streams: the block that is open, its text, and the cost so far. */
export class ReplyEncoder {
  readonly #head: Omit<AssistantMessage, "stopReason" | "content" | "usage">;
  readonly #blocks: Block[] = [];
  #closed: Block | undefined;
  #usage: Usage = noUsage();

  constructor(model: Model, start: { responseId?: string; responseModel?: string }, timestamp: number) {
    const { api, vendor: provider, id } = model;
    this.#head = { role: "assistant", api, provider, model: id, timestamp, ...start };
  }

  begin(): WireEvent {
    return {
      type: "message_start",
      message: { ...this.#head, content: [], usage: this.#usage, stopReason: "pending" },
    };
  }

  take(event: StreamEvent, emit: Emit): void {
    switch (event.type) {
      case "text":
      case "thinking": {
        const { type, index: contentIndex, delta } = event;
        const block = this.#blockAt(contentIndex) ?? this.#open({ type, index: contentIndex, text: "" }, emit);
        block.text += delta;
        this.#update({ type: `${type}_delta`, contentIndex, delta }, emit);
        break;
      }
      case "call":
        this.#open({ type: "call", index: event.index, text: event.id }, emit);
        this.#update({ type: "toolcall_start", contentIndex: event.index, id: event.id, toolName: event.name }, emit);
        break;
      case "args":
        this.#update({ type: "toolcall_delta", contentIndex: event.index, delta: event.delta }, emit);
        break;
      case "usage":
        this.#usage = { ...event.usage, cost: this.#usage.cost };
        break;
      case "stop":
      case "fail":
        this.#close(emit);
    }
  }

  /** Closes what is open, and tells the message as it was recorded. Calls end here: only the record has their arguments. */
  end(message: AssistantMessage, emit: Emit): void {
    this.#close(emit);
    for (const { type, index: contentIndex, text } of this.#blocks) {
      const toolCall = message.content.find(
        (part): part is ToolCall => type === "call" && part.type === "toolCall" && part.id === text,
      );
      if (toolCall) this.#update({ type: "toolcall_end", contentIndex, toolCall }, emit);
    }
    emit({ type: "message_end", message });
  }

  /** The message of an answer that was never recorded: what came of it, and why it ended. */
  cut(stopReason: StopReason, errorMessage: string): AssistantMessage {
    const content = this.#blocks.flatMap(({ type, text }): AssistantMessage["content"] => {
      if (type === "call" || text === "") return [];
      return [type === "text" ? { type, text } : { type, thinking: text }];
    });
    return { ...this.#head, content, usage: this.#usage, stopReason, errorMessage };
  }

  #update(assistantMessageEvent: WireDelta, emit: Emit): void {
    emit({ type: "message_update", usage: this.#usage, assistantMessageEvent });
  }

  #blockAt(index: number): Block | undefined {
    return this.#blocks.findLast((block) => block.index === index);
  }

  /** Opens a block; the one before ends with that. */
  #open(block: Block, emit: Emit): Block {
    this.#close(emit);
    this.#blocks.push(block);
    if (block.type !== "call") this.#update({ type: `${block.type}_start`, contentIndex: block.index }, emit);
    return block;
  }

  #close(emit: Emit): void {
    const last = this.#blocks.at(-1);
    if (!last || last === this.#closed || last.type === "call") return;
    this.#closed = last;
    this.#update({ type: `${last.type}_end`, contentIndex: last.index, content: last.text }, emit);
  }
}
