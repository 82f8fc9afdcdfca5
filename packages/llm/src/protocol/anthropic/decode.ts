import type { StreamEvent } from "../../message/stream.ts";
import {
  blockIndex,
  cutOff,
  filtered,
  JsonDecoder,
  nonEmpty,
  pushDelta,
  type ReplyEnding,
  reportedBy,
  startEvent,
  tokenCount,
  usageEvent,
} from "../decode.ts";

/** Decodes a streamed message. Block indexes are the server's own. */
export class AnthropicDecoder extends JsonDecoder<AnthropicEvent> {
  #usage: AnthropicUsage | undefined;
  #refusal: string | undefined;

  protected read(event: AnthropicEvent, out: StreamEvent[]): void {
    switch (event.type) {
      case "content_block_delta":
        this.#delta(blockIndex(event.index), event.delta, out);
        return;
      case "content_block_start":
        this.#open(blockIndex(event.index), event.content_block, out);
        return;
      case "message_start":
        out.push(startEvent(event.message?.id, event.message?.model));
        this.#usage = { ...event.message?.usage };
        // The prompt is paid for, whatever becomes of the answer.
        if (event.message?.usage) out.push(readUsage(this.#usage));
        return;
      case "message_delta":
        this.#usage = { ...this.#usage, ...known(event.usage) };
        this.reason = nonEmpty(event.delta?.stop_reason) ?? this.reason;
        this.#refusal = nonEmpty(event.delta?.stop_details?.explanation) ?? this.#refusal;
        return;
      case "message_stop":
        this.finish(out);
        return;
      case "content_block_stop":
      case "ping":
        return;
      default: {
        // New event types may be added at any time; only errors end the answer.
        const failure = reportedBy(event);
        if (failure) this.fail(failure, out);
      }
    }
  }

  protected usage(): StreamEvent | undefined {
    return this.#usage && readUsage(this.#usage);
  }

  protected ending(): ReplyEnding {
    const raw = this.reason;
    if (raw === undefined) return cutOff;
    if (raw === "refusal")
      return this.#refusal ? { kind: "refused", message: `the model declined: ${this.#refusal}` } : filtered;
    if (raw === "max_tokens" || raw === "model_context_window_exceeded") return { reason: "length", raw };
    return this.stopped(raw);
  }

  #delta(index: number, delta: AnthropicDelta | null | undefined, out: StreamEvent[]): void {
    switch (delta?.type) {
      case "text_delta":
        if (delta.text && typeof delta.text === "string") pushDelta("text", index, delta.text, out);
        return;
      case "thinking_delta":
        if (delta.thinking && typeof delta.thinking === "string") pushDelta("thinking", index, delta.thinking, out);
        return;
      case "input_json_delta":
        if (delta.partial_json && typeof delta.partial_json === "string")
          out.push({ type: "args", index, delta: delta.partial_json });
        return;
      case "signature_delta":
        if (delta.signature && typeof delta.signature === "string")
          out.push({ type: "signature", index, signature: delta.signature });
    }
  }

  #open(index: number, block: AnthropicBlock | null | undefined, out: StreamEvent[]): void {
    switch (block?.type) {
      case "text":
        this.#delta(index, { type: "text_delta", text: block.text }, out);
        return;
      case "thinking":
        this.#delta(index, { type: "thinking_delta", thinking: block.thinking }, out);
        this.#delta(index, { type: "signature_delta", signature: block.signature }, out);
        return;
      case "redacted_thinking":
        if (nonEmpty(block.data)) out.push({ type: "signature", index, signature: String(block.data), redacted: true });
        return;
      case "tool_use": {
        this.call(index, nonEmpty(block.id), nonEmpty(block.name), out);
        // Some servers send the whole input at once.
        if (typeof block.input === "object" && block.input && Object.keys(block.input).length > 0)
          out.push({ type: "args", index, delta: JSON.stringify(block.input) });
      }
    }
  }
}

/** Figures that are present; a server may send any names. */
const known = (usage: AnthropicUsage | null | undefined): AnthropicUsage =>
  Object.fromEntries(figures.flatMap((name) => (usage?.[name] == null ? [] : [[name, usage[name]]])));
const figures = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation",
  "output_tokens_details",
] as const satisfies readonly (keyof AnthropicUsage)[];

const readUsage = (usage: AnthropicUsage): StreamEvent =>
  usageEvent({
    input: tokenCount(usage.input_tokens) ?? 0,
    output: tokenCount(usage.output_tokens) ?? 0,
    cacheRead: tokenCount(usage.cache_read_input_tokens) ?? 0,
    cacheWrite: tokenCount(usage.cache_creation_input_tokens) ?? 0,
    cacheWrite1h: tokenCount(usage.cache_creation?.ephemeral_1h_input_tokens),
    reasoning: tokenCount(usage.output_tokens_details?.thinking_tokens),
  });

interface AnthropicEvent {
  type?: string;
  index?: unknown;
  delta?: (AnthropicDelta & { stop_reason?: unknown; stop_details?: { explanation?: unknown } | null }) | null;
  content_block?: AnthropicBlock | null;
  message?: { id?: unknown; model?: unknown; usage?: AnthropicUsage | null } | null;
  usage?: AnthropicUsage | null;
}
interface AnthropicDelta {
  type?: string;
  text?: unknown;
  thinking?: unknown;
  partial_json?: unknown;
  signature?: unknown;
}
interface AnthropicBlock {
  type?: string;
  text?: unknown;
  thinking?: unknown;
  signature?: unknown;
  data?: unknown;
  id?: unknown;
  name?: unknown;
  input?: unknown;
}
interface AnthropicUsage {
  input_tokens?: unknown;
  output_tokens?: unknown;
  cache_read_input_tokens?: unknown;
  cache_creation_input_tokens?: unknown;
  cache_creation?: { ephemeral_1h_input_tokens?: unknown } | null;
  output_tokens_details?: { thinking_tokens?: unknown } | null;
}
