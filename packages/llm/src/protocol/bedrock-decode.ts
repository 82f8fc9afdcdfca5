import type { Failure, StreamEvent } from "../message/stream.ts";
import { count, cut, type Ending, filtered, JsonDecoder, started, unnamed, used, word } from "./decode.ts";
import { kindOf } from "./failure.ts";

/** Reads the events of a Converse stream; the framing gives each as an object with the event's name as its one field. */
export class BedrockDecoder extends JsonDecoder<BedrockEvent> {
  #usage: BedrockUsage | undefined;
  #reason: string | undefined;
  #calls = 0;
  #nameless = false;

  protected read(event: BedrockEvent, out: StreamEvent[]): void {
    if (event.contentBlockDelta) this.#delta(event.contentBlockDelta.contentBlockIndex ?? 0, event.contentBlockDelta.delta, out);
    else if (event.contentBlockStart) this.#open(event.contentBlockStart.contentBlockIndex ?? 0, event.contentBlockStart.start?.toolUse, out);
    else if (event.contentBlockStop) return;
    else if (event.messageStart) out.push(started(undefined, undefined));
    else if (event.messageStop) this.#reason = word(event.messageStop.stopReason);
    else if (event.metadata) {
      this.#usage = event.metadata.usage ?? undefined;
      // The last of all, once the message has stopped.
      if (this.#reason !== undefined) this.finish(out);
    } else this.#trouble(event as Record<string, { message?: unknown } | null>, out);
  }

  protected usage(): StreamEvent | undefined {
    return this.#usage && readUsage(this.#usage);
  }

  protected ending(): Ending {
    const raw = this.#reason;
    if (raw === undefined) return cut;
    if (raw === "max_tokens" || raw === "model_context_window_exceeded") return { reason: "length", raw };
    if (raw === "guardrail_intervened" || raw === "content_filtered") return filtered;
    if (raw.startsWith("malformed")) return { kind: "malformed", message: `the model's answer could not be used: ${raw}` };
    if (this.#nameless) return unnamed;
    return { reason: this.#calls > 0 ? "toolUse" : "stop", raw };
  }

  #delta(index: number, delta: BedrockDelta | null | undefined, out: StreamEvent[]): void {
    if (!delta) return;
    const { text, toolUse, reasoningContent } = delta;
    if (text) out.push({ type: "text", index, delta: text });
    else if (toolUse) {
      if (toolUse.input) out.push({ type: "args", index, delta: toolUse.input });
    } else if (reasoningContent?.text) out.push({ type: "thinking", index, delta: reasoningContent.text });
    else if (reasoningContent?.signature) out.push({ type: "signature", index, signature: reasoningContent.signature });
    else if (reasoningContent?.redactedContent) out.push({ type: "signature", index, signature: reasoningContent.redactedContent, redacted: true });
  }

  #open(index: number, call: { toolUseId?: unknown; name?: unknown } | null | undefined, out: StreamEvent[]): void {
    if (!call) return;
    this.#calls++;
    const [id, name] = [word(call.toolUseId), word(call.name)];
    if (id && name) out.push({ type: "call", index, id, name });
    else this.#nameless = true;
  }

  #trouble(event: Record<string, { message?: unknown } | null>, out: StreamEvent[]): void {
    const [name = "", body] = Object.entries(event)[0] ?? [];
    // Kinds of events may be added at any time; only an error is one to stop at.
    if (/exception|error$/i.test(name)) this.fail(failureOf(name, word(body?.message) ?? name), out);
  }
}

function failureOf(name: string, message: string): Failure {
  if (name === "frameError") return { kind: "malformed", message };
  return { kind: kindOf({ message, type: name }), message };
}

const readUsage = (usage: BedrockUsage): StreamEvent =>
  used({
    input: count(usage.inputTokens) ?? 0,
    output: count(usage.outputTokens) ?? 0,
    cacheRead: count(usage.cacheReadInputTokens) ?? 0,
    cacheWrite: count(usage.cacheWriteInputTokens) ?? 0,
  });

interface BedrockEvent {
  messageStart?: object | null;
  contentBlockStart?: { contentBlockIndex?: number; start?: { toolUse?: { toolUseId?: unknown; name?: unknown } | null } | null } | null;
  contentBlockDelta?: { contentBlockIndex?: number; delta?: BedrockDelta | null } | null;
  contentBlockStop?: object | null;
  messageStop?: { stopReason?: unknown } | null;
  metadata?: { usage?: BedrockUsage | null } | null;
}
interface BedrockDelta {
  text?: string;
  toolUse?: { input?: string } | null;
  reasoningContent?: { text?: string; signature?: string; redactedContent?: string } | null;
}
interface BedrockUsage {
  inputTokens?: unknown;
  outputTokens?: unknown;
  cacheReadInputTokens?: unknown;
  cacheWriteInputTokens?: unknown;
}
