import type { Failure, StreamEvent } from "../../message/stream.ts";
import {
  cutOff,
  filtered,
  JsonDecoder,
  nonEmpty,
  pushDelta,
  type ReplyEnding,
  reportedBy,
  startEvent,
  tokenCount,
  type Unchecked,
  usageEvent,
} from "../decode.ts";
import { serverId } from "./encode.ts";

/** Decodes a streamed answer of Gemini. The body's end ends the answer; a reason must have come before. */
export class GoogleDecoder extends JsonDecoder<GoogleChunk> {
  #started = false;
  #usage: GoogleUsage | undefined;
  #blocked: string | undefined;

  protected read(chunk: GoogleChunk, out: StreamEvent[]): void {
    const candidate = chunk.candidates?.[0];
    const failure = candidate || chunk.usageMetadata ? undefined : reportedBy(chunk);
    if (failure) this.fail(failure, out);
    else this.#take(chunk, candidate, out);
  }

  #take(chunk: GoogleChunk, candidate: GoogleCandidate | undefined, out: StreamEvent[]): void {
    if (!this.#started) {
      this.#started = true;
      out.push(startEvent(chunk.responseId, chunk.modelVersion));
    }
    if (chunk.usageMetadata) this.#usage = chunk.usageMetadata;
    if (chunk.promptFeedback) this.#blocked = nonEmpty(chunk.promptFeedback.blockReason) ?? this.#blocked;
    const parts = candidate?.content?.parts;
    if (Array.isArray(parts)) for (const part of parts) if (part) this.#part(part, out);
    if (candidate?.finishReason) this.reason = nonEmpty(candidate.finishReason);
  }

  protected usage(): StreamEvent | undefined {
    return this.#usage && readUsage(this.#usage);
  }

  protected ending(): ReplyEnding {
    const raw = this.reason;
    if (this.#blocked) return { kind: "refused", message: `the server did not take the request: ${this.#blocked}` };
    if (raw === undefined) return cutOff;
    if (raw === "MAX_TOKENS") return { reason: "length", raw };
    return failures.get(raw) ?? this.stopped(raw);
  }

  #part(part: GooglePart, out: StreamEvent[]): void {
    const signature = nonEmpty(part.thoughtSignature);
    if (part.functionCall) this.#call(part.functionCall, signature, out);
    else if (typeof part.text === "string") this.#say(part.thought ? "thinking" : "text", part.text, signature, out);
  }

  #say(kind: "text" | "thinking", delta: string, signature: string | undefined, out: StreamEvent[]): void {
    if (delta === "" && (signature === undefined || this.blocks === 0)) return;
    // A signature alone belongs to the block before it.
    const index = delta === "" && this.open ? this.blocks - 1 : this.block(kind);
    if (delta !== "") pushDelta(kind, index, delta, out);
    if (signature === undefined) return;
    out.push({ type: "signature", index, signature });
    // Text after a signed part is another part.
    this.open = undefined;
  }

  #call({ id, name, args }: GoogleCall, signature: string | undefined, out: StreamEvent[]): void {
    const index = this.blocks++;
    this.open = undefined;
    const theirs = nonEmpty(id);
    this.call(index, theirs ? serverId(theirs) : this.newId(), nonEmpty(name), out);
    out.push({ type: "args", index, delta: JSON.stringify(args ?? {}) });
    if (signature) out.push({ type: "signature", index, signature });
  }
}

const malformed = (what: string): Failure => ({
  kind: "malformed",
  message: `the model's answer could not be used: ${what}`,
});
const failures: ReadonlyMap<string, Failure> = new Map([
  ...["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY"].map(
    (reason) => [reason, filtered] as const,
  ),
  ...["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"].map(
    (reason) => [reason, malformed(reason)] as const,
  ),
  ["MISSING_THOUGHT_SIGNATURE", { kind: "rejected", message: "the server misses the signature of an earlier thought" }],
]);

const readUsage = (usage: GoogleUsage): StreamEvent =>
  usageEvent({
    prompt: tokenCount(usage.promptTokenCount) + tokenCount(usage.toolUsePromptTokenCount),
    output: tokenCount(usage.candidatesTokenCount) + tokenCount(usage.thoughtsTokenCount),
    cacheRead: usage.cachedContentTokenCount,
    reasoning: usage.thoughtsTokenCount,
  });

interface GoogleChunk extends Unchecked<"responseId" | "modelVersion"> {
  candidates?: readonly GoogleCandidate[] | null;
  usageMetadata?: GoogleUsage | null;
  promptFeedback?: { blockReason?: unknown } | null;
}
interface GoogleCandidate extends Unchecked<"finishReason"> {
  content?: { parts?: readonly (GooglePart | null)[] | null } | null;
}
interface GooglePart extends Unchecked<"text" | "thought" | "thoughtSignature"> {
  functionCall?: GoogleCall | null;
}
type GoogleCall = Unchecked<"id" | "name" | "args">;
type GoogleUsage = Unchecked<
  | "promptTokenCount"
  | "candidatesTokenCount"
  | "thoughtsTokenCount"
  | "cachedContentTokenCount"
  | "toolUsePromptTokenCount"
>;
