import type { Failure, StreamEvent } from "../../message/stream.ts";
import {
  blockIndex,
  cutOff,
  filtered,
  JsonDecoder,
  nonEmpty,
  type ReplyEnding,
  startEvent,
  type Unchecked,
  usageEvent,
} from "../decode.ts";
import { failureKind } from "../failure.ts";

/** Decodes a Converse stream. Each event is known by a field that only it has; an exception stands under its name. */
export class BedrockDecoder extends JsonDecoder<BedrockEvent> {
  #usage: BedrockUsage | undefined;

  protected read(event: BedrockEvent, out: StreamEvent[]): void {
    if (event.delta) this.#delta(blockIndex(event.contentBlockIndex), event.delta, out);
    else if (event.start) this.#open(blockIndex(event.contentBlockIndex), event.start.toolUse, out);
    else if (event.contentBlockIndex !== undefined) return;
    else if (event.stopReason) this.reason = nonEmpty(event.stopReason);
    else if (event.usage || event.metrics) {
      this.#usage = event.usage ?? undefined;
      // The last event, once the message has stopped.
      if (this.reason !== undefined) this.finish(out);
    } else if (event.role) out.push(startEvent(undefined, undefined));
    else this.#trouble(event as Record<string, { message?: unknown } | null>, out);
  }

  protected usage(): StreamEvent | undefined {
    return this.#usage && readUsage(this.#usage);
  }

  protected ending(): ReplyEnding {
    const raw = this.reason;
    if (raw === undefined) return cutOff;
    if (raw === "max_tokens" || raw === "model_context_window_exceeded") return { reason: "length", raw };
    if (raw === "guardrail_intervened" || raw === "content_filtered") return filtered;
    if (raw.startsWith("malformed"))
      return { kind: "malformed", message: `the model's answer could not be used: ${raw}` };
    return this.stopped(raw);
  }

  #delta(index: number, { text, toolUse, reasoningContent: thought }: BedrockDelta, out: StreamEvent[]): void {
    if (text) this.say("text", index, text, out);
    else if (toolUse?.input) this.argue(index, toolUse.input, out);
    else if (thought?.text) this.say("thinking", index, thought.text, out);
    else if (thought?.signature) this.sign(index, thought.signature, out);
    else this.sign(index, thought?.redactedContent, out, true);
  }

  #open(index: number, call: Unchecked<"toolUseId" | "name"> | null | undefined, out: StreamEvent[]): void {
    if (call) this.call(index, nonEmpty(call.toolUseId), nonEmpty(call.name), out);
  }

  #trouble(event: Record<string, { message?: unknown } | null>, out: StreamEvent[]): void {
    const [name = "", body] = Object.entries(event)[0] ?? [];
    // New event types may be added at any time; only errors end the answer.
    if (/exception|error$/i.test(name)) this.fail(failureOf(name, nonEmpty(body?.message) ?? name), out);
  }
}

function failureOf(name: string, message: string): Failure {
  if (name === "frameError") return { kind: "malformed", message };
  return { kind: failureKind({ message, type: name }), message };
}

const readUsage = (usage: BedrockUsage): StreamEvent =>
  usageEvent({
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadInputTokens,
    cacheWrite: usage.cacheWriteInputTokens,
    cacheWrite1h: hourOf(usage.cacheDetails),
  });

const hourOf = (details: unknown): unknown =>
  (Array.isArray(details) ? details : []).find((detail: { ttl?: unknown } | null) => detail?.ttl === "1h")?.inputTokens;

interface BedrockEvent extends Unchecked<"role" | "contentBlockIndex" | "stopReason" | "metrics"> {
  start?: { toolUse?: Unchecked<"toolUseId" | "name"> | null } | null;
  delta?: BedrockDelta | null;
  usage?: BedrockUsage | null;
}
interface BedrockDelta extends Unchecked<"text"> {
  toolUse?: { input?: unknown } | null;
  reasoningContent?: Unchecked<"text" | "signature" | "redactedContent"> | null;
}
type BedrockUsage = Unchecked<
  "inputTokens" | "outputTokens" | "cacheReadInputTokens" | "cacheWriteInputTokens" | "cacheDetails"
>;
