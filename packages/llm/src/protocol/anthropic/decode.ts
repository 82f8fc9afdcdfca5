import { defined } from "@pith/kit";
import type { StreamEvent } from "../../message/stream.ts";
import {
  blockIndex,
  cutOff,
  filtered,
  JsonDecoder,
  nonEmpty,
  type ReplyEnding,
  reportedBy,
  startEvent,
  type TokenCounts,
  type Unchecked,
  usageEvent,
} from "../decode.ts";

/** Decodes a streamed message. Block indexes are the server's own. */
export class AnthropicDecoder extends JsonDecoder<AnthropicEvent> {
  #counts: TokenCounts | undefined;
  #refusal: string | undefined;

  protected read(event: AnthropicEvent, out: StreamEvent[]): void {
    const { type, message, delta } = event;
    if (type === "content_block_delta") this.#delta(blockIndex(event.index), delta, out);
    else if (type === "content_block_start") this.#open(blockIndex(event.index), event.content_block, out);
    else if (type === "message_start") {
      out.push(startEvent(message?.id, message?.model));
      this.#counts = countsIn(message?.usage);
      // The prompt is paid for, whatever becomes of the answer.
      if (message?.usage) out.push(usageEvent(this.#counts));
    } else if (type === "message_delta") {
      this.#counts = { ...this.#counts, ...countsIn(event.usage) };
      this.reason = nonEmpty(delta?.stop_reason) ?? this.reason;
      this.#refusal = nonEmpty(delta?.stop_details?.explanation) ?? this.#refusal;
    } else if (type === "message_stop") this.finish(out);
    else if (type !== "content_block_stop" && type !== "ping") {
      // New event types may be added at any time; only errors end the answer.
      const failure = reportedBy(event);
      if (failure) this.fail(failure, out);
    }
  }

  protected usage(): StreamEvent | undefined {
    return this.#counts && usageEvent(this.#counts);
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
    const type = delta?.type;
    if (type === "text_delta") this.say("text", index, delta?.text, out);
    else if (type === "thinking_delta") this.say("thinking", index, delta?.thinking, out);
    else if (type === "input_json_delta") this.argue(index, delta?.partial_json, out);
    else if (type === "signature_delta") this.sign(index, delta?.signature, out);
  }

  #open(index: number, block: AnthropicBlock | null | undefined, out: StreamEvent[]): void {
    const { type, input } = block ?? {};
    if (type === "text") this.say("text", index, block?.text, out);
    else if (type === "thinking") {
      this.say("thinking", index, block?.thinking, out);
      this.sign(index, block?.signature, out);
    } else if (type === "redacted_thinking") this.sign(index, block?.data, out, true);
    else if (type === "tool_use") {
      this.call(index, nonEmpty(block?.id), nonEmpty(block?.name), out);
      // Some servers send the whole input at once.
      if (typeof input === "object" && input && Object.keys(input).length > 0)
        this.argue(index, JSON.stringify(input), out);
    }
  }
}

/** Counts that are present: those of later events replace earlier ones. */
const countsIn = (usage: AnthropicUsage | null | undefined): TokenCounts =>
  defined({
    input: usage?.input_tokens ?? undefined,
    output: usage?.output_tokens ?? undefined,
    cacheRead: usage?.cache_read_input_tokens ?? undefined,
    cacheWrite: usage?.cache_creation_input_tokens ?? undefined,
    cacheWrite1h: usage?.cache_creation?.ephemeral_1h_input_tokens ?? undefined,
    reasoning: usage?.output_tokens_details?.thinking_tokens ?? undefined,
  });

type AnthropicDelta = Unchecked<"type" | "text" | "thinking" | "partial_json" | "signature">;
type AnthropicBlock = Unchecked<"type" | "text" | "thinking" | "signature" | "data" | "id" | "name" | "input">;
interface AnthropicEvent extends Unchecked<"type" | "index"> {
  delta?: (AnthropicDelta & { stop_reason?: unknown; stop_details?: { explanation?: unknown } | null }) | null;
  content_block?: AnthropicBlock | null;
  message?: (Unchecked<"id" | "model"> & { usage?: AnthropicUsage | null }) | null;
  usage?: AnthropicUsage | null;
}
interface AnthropicUsage
  extends Unchecked<"input_tokens" | "output_tokens" | "cache_read_input_tokens" | "cache_creation_input_tokens"> {
  cache_creation?: { ephemeral_1h_input_tokens?: unknown } | null;
  output_tokens_details?: { thinking_tokens?: unknown } | null;
}
