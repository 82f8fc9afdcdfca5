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
import type { PendingMessage } from "./message.ts";

interface Block {
  type: "text" | "thinking" | "call";
  index: number;
  /** The text so far, or the id of the call. */
  text: string;
}

/** One answer as it streams: which block is open, what was said in it, what it has cost so far. */
export class ReplyEncoder {
  readonly #head: Omit<AssistantMessage, "stopReason" | "content" | "usage">;
  readonly #blocks: Block[] = [];
  #closed: Block | undefined;
  #usage: Usage = noUsage();

  constructor(model: Model, start: { responseId?: string; responseModel?: string }, now: number) {
    this.#head = {
      role: "assistant",
      api: model.api,
      provider: model.vendor,
      model: model.id,
      timestamp: now,
      ...start,
    };
  }

  begin(): WireEvent {
    const message: PendingMessage = { ...this.#head, content: [], usage: this.#usage, stopReason: "pending" };
    return { type: "message_start", message };
  }

  take(event: StreamEvent, emit: (event: WireEvent) => void): void {
    const update = (assistantMessageEvent: WireDelta) =>
      emit({ type: "message_update", usage: this.#usage, assistantMessageEvent });
    switch (event.type) {
      case "text":
      case "thinking": {
        const block =
          this.#blockAt(event.index) ?? this.#open({ type: event.type, index: event.index, text: "" }, update);
        block.text += event.delta;
        update({ type: `${event.type}_delta`, contentIndex: event.index, delta: event.delta });
        break;
      }
      case "call":
        this.#open({ type: "call", index: event.index, text: event.id }, update);
        update({ type: "toolcall_start", contentIndex: event.index, id: event.id, toolName: event.name });
        break;
      case "args":
        update({ type: "toolcall_delta", contentIndex: event.index, delta: event.delta });
        break;
      case "usage":
        this.#usage = { ...event.usage, cost: this.#usage.cost };
        break;
      case "stop":
      case "fail":
        this.#close(update);
    }
  }

  /**
   * Closes what is open, with the recorded message as the last word. Calls end here: only the record knows their
   * arguments.
   */
  end(message: AssistantMessage, emit: (event: WireEvent) => void): void {
    const update = (assistantMessageEvent: WireDelta) =>
      emit({ type: "message_update", usage: this.#usage, assistantMessageEvent });
    this.#close(update);
    for (const { type, index, text } of this.#blocks) {
      const toolCall =
        type === "call"
          ? message.content.find((part): part is ToolCall => part.type === "toolCall" && part.id === text)
          : undefined;
      if (toolCall) update({ type: "toolcall_end", contentIndex: index, toolCall });
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

  #blockAt(index: number): Block | undefined {
    const last = this.#blocks.at(-1);
    return last?.index === index ? last : this.#blocks.find((block) => block.index === index);
  }

  #open(block: Block, update: (delta: WireDelta) => void): Block {
    this.#close(update);
    this.#blocks.push(block);
    if (block.type !== "call") update({ type: `${block.type}_start`, contentIndex: block.index });
    return block;
  }

  /** A text ends when something else begins. */
  #close(update: (delta: WireDelta) => void): void {
    const last = this.#blocks.at(-1);
    if (!last || last === this.#closed || last.type === "call") return;
    this.#closed = last;
    update({ type: `${last.type}_end`, contentIndex: last.index, content: last.text });
  }
}
